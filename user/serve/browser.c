// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec open: starts the browser of this machine, or prints the command that brings the port to another machine. */
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "serve/serve.h"
#include "files/guard.h"

extern char **environ;

static bool is_set(const char *name)
{
	const char *value = getenv(name);

	return value && *value;
}

static bool is_remote(void)
{
	return is_set("SSH_CONNECTION") || is_set("SSH_TTY");
}

static bool has_display(void)
{
	return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
}

/*
 * Returns whether the tool runs by sudo: a browser refuses to run as another user than the display's, or starts with
 * root's profile.
 */
static bool is_sudo(void)
{
	return !geteuid() && is_set("SUDO_USER");
}

/* Returns this machine's address as the client knows it, from "client port here port". */
static const char *host_name(char *room, size_t bytes)
{
	const char *connection = getenv("SSH_CONNECTION"), *here = connection ? strchr(connection, ' ') : NULL;

	here = here ? strchr(here + 1, ' ') : NULL;
	if (here)
		snprintf(room, bytes, "%.*s", (int)strcspn(here + 1, " "), here + 1);
	else if (gethostname(room, bytes))
		snprintf(room, bytes, "HOST");
	room[bytes - 1] = '\0';
	return room;
}

/* Returns the option for the port of the server that the client is connected to, "" for ssh's default. */
static const char *port_option(char *room, size_t bytes)
{
	const char *connection = getenv("SSH_CONNECTION");
	unsigned int port;

	*room = '\0';
	if (connection && sscanf(connection, "%*s %*s %*s %u", &port) == 1 && port != 22 && port <= 65535)
		snprintf(room, bytes, "-p %u ", port);
	return room;
}

static const char *user_name(void)
{
	const char *sudo = getenv("SUDO_USER");
	struct passwd *user = getpwuid(getuid());

	return sudo && *sudo ? sudo : user ? user->pw_name : "USER";
}

/* Starts xdg-open without waiting for it, as it may be the browser itself. */
static bool start(char *file)
{
	char *const argv[] = { (char *)"xdg-open", file, NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	bool started = false;
	sigset_t ignored;
	pid_t pid;
	int fd;

	if (posix_spawn_file_actions_init(&actions))
		return false;
	if (posix_spawnattr_init(&attributes)) {
		posix_spawn_file_actions_destroy(&actions);
		return false;
	}
	/* The browser doesn't inherit the signal that main() ignores. */
	sigemptyset(&ignored);
	sigaddset(&ignored, SIGXFSZ);
	posix_spawnattr_setsigdefault(&attributes, &ignored);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
	signal(SIGCHLD, SIG_IGN);
	started = !posix_spawnp(&pid, argv[0], &actions, &attributes, argv, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return started;
}

/*
 * Writes a page that leads to the address.  The address isn't an argument, as every user can read a program's
 * arguments.
 */
static int redirect_write(int fd, const char *address)
{
	const char *end = address + strlen(address), *at;

	dprintf(fd, "<!DOCTYPE html>\n<meta charset=utf-8>\n<meta name=referrer content=no-referrer>\n"
		"<meta http-equiv=refresh content=\"0;url=");
	for (at = address; at < end; at += strcspn(at, "&") + 1)
		dprintf(fd, "%.*s%s", (int)strcspn(at, "&"), at, at[strcspn(at, "&")] ? "&amp;" : "");
	return dprintf(fd, "\">\n") < 0 ? -errno : 0;
}

/*
 * Creates that page for this user alone; a signal that ends the program removes it.  Returns its path, a heap string,
 * or NULL.
 */
static char *redirect_make(const char *address)
{
	const char *folder = getenv("XDG_RUNTIME_DIR");
	char *path;
	int fd;

	if (!folder || !*folder)
		folder = getenv("TMPDIR");
	if (asprintf(&path, "%s/fxtrec-XXXXXX.html", folder && *folder ? folder : "/tmp") < 0)
		return NULL;
	fd = mkostemps(path, strlen(".html"), O_CLOEXEC);
	if (fd >= 0) {
		int err = redirect_write(fd, address);

		close(fd);
		if (!err) {
			fxt_guard(AT_FDCWD, path);
			return path;
		}
		unlink(path);
	}
	free(path);
	return NULL;
}

void fxt_serve_browse_end(char *file)
{
	if (!file)
		return;
	fxt_unguard();
	unlink(file);
	free(file);
}

void fxt_serve_browse(const char *address, unsigned int port, bool no_browser, char **file)
{
	char host[256], option[16];

	*file = !no_browser && !is_remote() && has_display() && !is_sudo() ? redirect_make(address) : NULL;
	if (*file && start(*file)) {
		printf("Opening %s\n", address);
	} else if (no_browser || (has_display() && !is_remote())) {
		printf("Open this in a browser of this machine:\n  %s\n", address);
	} else {
		printf("On the machine with the browser, run\n  ssh -N -L %u:127.0.0.1:%u %s%s@%s\n"
		       "and open there\n  %s\n", port, port, port_option(option, sizeof(option)), user_name(),
		       host_name(host, sizeof(host)), address);
	}
	fflush(stdout);
}
