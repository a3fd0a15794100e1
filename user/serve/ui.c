// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec open --ui-dir: serves the files of a local UI. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/openat2.h>

#include "serve/serve.h"

static const struct type {
	const char *suffix, *type;
} types[] = {
	{ ".html", "text/html; charset=utf-8" },
	{ ".js", "text/javascript; charset=utf-8" },
	{ ".mjs", "text/javascript; charset=utf-8" },
	{ ".css", "text/css; charset=utf-8" },
	{ ".wasm", "application/wasm" },
	{ ".json", "application/json" },
	{ ".map", "application/json" },
	{ ".svg", "image/svg+xml" },
	{ ".png", "image/png" },
	{ ".ico", "image/x-icon" },
	{ ".woff2", "font/woff2" },
	{ ".txt", "text/plain; charset=utf-8" },
};

static const char *type_of(const char *path)
{
	const char *suffix = strrchr(path, '.');
	size_t i;

	for (i = 0; suffix && i < sizeof(types) / sizeof(*types); i++)
		if (!strcmp(suffix, types[i].suffix))
			return types[i].type;
	return "application/octet-stream";
}

int fxt_serve_ui_file(int folder, const char *path, __u64 *bytes, const char **type)
{
	struct open_how how = {
		.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
	};
	struct stat st;
	int fd, err;

	while (*path == '/')
		path++;
	if (!*path)
		path = "index.html";
	fd = syscall(SYS_openat2, folder, path, &how, sizeof(how));
	if (fd < 0)
		return -errno;
	err = fstat(fd, &st) ? errno : S_ISREG(st.st_mode) ? 0 : EISDIR;
	if (err) {
		close(fd);
		return -err;
	}
	*bytes = st.st_size;
	*type = type_of(path);
	return fd;
}
