// SPDX-License-Identifier: GPL-2.0-only
/* CPU frequencies for a virtual machine, which has none: the kernel switches, and nothing happens. */
#include <linux/cpufreq.h>
#include <linux/module.h>

static struct cpufreq_frequency_table table[] = {
	{ .frequency = 1000000 },
	{ .frequency = 2000000 },
	{ .frequency = 3000000 },
	{ .frequency = CPUFREQ_TABLE_END },
};

static int frequency_init(struct cpufreq_policy *policy)
{
	policy->freq_table = table;
	policy->cur = table[0].frequency;
	return 0;
}

static int frequency_switch(struct cpufreq_policy *policy, unsigned int index)
{
	return 0;
}

static struct cpufreq_driver driver = {
	.name = "frequency",
	.init = frequency_init,
	.verify = cpufreq_generic_frequency_table_verify,
	.target_index = frequency_switch,
};

static int __init frequency_begin(void)
{
	return cpufreq_register_driver(&driver);
}

static void __exit frequency_end(void)
{
	cpufreq_unregister_driver(&driver);
}

module_init(frequency_begin);
module_exit(frequency_end);
MODULE_DESCRIPTION("CPU frequencies for a test");
MODULE_LICENSE("GPL");
