// SPDX-License-Identifier: GPL-2.0-only
/* The control group of a process, by what hosts of either version or both write in /proc. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "describe/cgroup.h"
#include "unit.h"

#define ID	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define OTHER	"fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"

static void assert_cgroup(const char *text, const char *path, const char *container)
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
	/* In the root of version 2, as where it is mounted and nobody uses it. */
	assert_cgroup("1:memory:/docker/" ID "\n0::/\n", "/docker/" ID, "0123456789ab");
	/* Engines that use version 1 there leave the process in their own group of version 2. */
	assert_cgroup("1:memory:/docker/" ID "\n0::/system.slice/docker.service\n",
		      "/system.slice/docker.service", "0123456789ab");
	assert_cgroup("1:memory:/docker/" OTHER "\n0::/docker/" ID "\n", "/docker/" ID, "0123456789ab");
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
		cmocka_unit_test(long_path),
	};

	return unit_run(tests);
}
