// SPDX-License-Identifier: GPL-2.0-only
/* The control group of a process, by lines that hosts of either version or both write in /proc. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "describe/cgroup.h"
#include "unit.h"

#define ID	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define OTHER	"fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"

static struct fxt_cgroup read_text(const char *text)
{
	char folder[] = "/tmp/fxtrec-cgroup.XXXXXX", name[64];
	struct fxt_cgroup cgroup;
	FILE *f;

	assert_non_null(mkdtemp(folder));
	snprintf(name, sizeof(name), "%s/cgroup", folder);
	f = fopen(name, "we");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	fxt_cgroup_read(&cgroup, folder);
	unlink(name);
	rmdir(folder);
	return cgroup;
}

static void assert_cgroup(const char *text, const char *path, const char *container)
{
	struct fxt_cgroup cgroup = read_text(text);

	assert_string_equal(cgroup.path, path);
	assert_string_equal(cgroup.container, container);
}

static void one_version(void **state)
{
	(void)state;
	assert_cgroup("0::/\n", "", "");
	assert_cgroup("0::/a.slice/docker-" ID ".scope\n", "/a.slice/docker-" ID ".scope", "0123456789ab");
	assert_cgroup("2:cpu:/docker/" ID "\n1:name=systemd:/\n", "/docker/" ID, "0123456789ab");
	assert_cgroup("3:a:/x\n2:b:/x/long\n1:name=y:/x/y\n", "/x/long", "");
	assert_cgroup("", "", "");
	assert_cgroup("nonsense\n0:\n0::\n", "", "");
	/* A path may hold colons. */
	assert_cgroup("0::/a:b/c:d\n", "/a:b/c:d", "");
}

static void both_versions(void **state)
{
	(void)state;
	assert_cgroup("2:pids:/user.slice/user-0.slice/session-1.scope/of-the-longest-path\n"
		      "1:name=systemd:/user.slice/user-0.slice/session-1.scope\n0::/user.slice\n",
		      "/user.slice", "");
	/* In the root of version 2, as where it is mounted and unused. */
	assert_cgroup("1:memory:/docker/" ID "\n0::/\n", "/docker/" ID, "0123456789ab");
	/* Engines that use version 1 there leave the process in their own group of version 2. */
	assert_cgroup("1:memory:/docker/" ID "\n0::/system.slice/docker.service\n",
		      "/system.slice/docker.service", "0123456789ab");
	assert_cgroup("1:memory:/docker/" OTHER "\n0::/docker/" ID "\n", "/docker/" ID, "0123456789ab");
}

static void assert_cpu(const char *text, const char *path, bool legacy)
{
	struct fxt_cgroup cgroup = read_text(text);

	assert_string_equal(cgroup.cpu, path);
	assert_int_equal(cgroup.cpu_legacy, legacy);
}

/* Only one hierarchy has the controller "cpu". */
static void cpu_limits(void **state)
{
	(void)state;
	assert_cpu("0::/a/b\n", "/a/b", false);
	assert_cpu("0::/\n", "", false);
	assert_cpu("2:cpuacct:/x\n1:name=cpu:/y\n0::/a\n", "/a", false);
	assert_cpu("3:cpuset:/x\n2:cpuacct,cpu:/y\n0::/a\n", "/y", true);
	assert_cpu("2:cpu,cpuacct:/y:cpu:/z\n1:memory:/longer/path\n", "/y:cpu:/z", true);
	assert_cpu("2:cpu:/\n0::/a\n", "", true);
}

static void long_path(void **state)
{
	char text[PATH_MAX + 64] = "1:cpu,cpuacct:/", path[PATH_MAX];

	(void)state;
	memset(path, 'p', sizeof(path) - 1);
	path[0] = '/';
	path[sizeof(path) - 1] = '\0';
	strcpy(strchr(text, '/'), path);
	strcat(text, "\n0::/\n");
	assert_cgroup(text, path, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_version),
		cmocka_unit_test(both_versions),
		cmocka_unit_test(cpu_limits),
		cmocka_unit_test(long_path),
	};

	return unit_run(tests);
}
