// SPDX-License-Identifier: GPL-2.0-only
/* Reads the addresses of the sockets of a network namespace. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe/sockets.h"

/* Digits of an address of IPv6. */
#define ADDRESS_DIGITS	32
/* Lines that are read of a table for each socket that is wanted: closed connections have lines, too. */
#define LINES_SHARE	8u

/* Parses the hexadecimal numbers of an address, which have the machine's byte order.  Returns whether it is valid. */
static bool address_write(char *text, size_t room, const char *digits, unsigned int port)
{
	bool six = strlen(digits) == ADDRESS_DIGITS;
	__u32 words[4] = { 0 };
	char part[9] = "", address[INET6_ADDRSTRLEN];
	unsigned int i, count = six ? 4 : 1;

	if (strlen(digits) != count * 8)
		return false;
	for (i = 0; i < count; i++) {
		memcpy(part, digits + 8 * i, 8);
		words[i] = strtoul(part, NULL, 16);
	}
	if (!inet_ntop(six ? AF_INET6 : AF_INET, words, address, sizeof(address)))
		return false;
	snprintf(text, room, six ? "[%s]:%u" : "%s:%u", address, port);
	return true;
}

/* Parses a line of a table.  Returns whether it has a socket that a process may have open. */
static bool line_read(const char *line, __u64 *inode, char name[FXT_SOCKET_NAME_BYTES])
{
	char local[ADDRESS_DIGITS + 1], remote[ADDRESS_DIGITS + 1], here[64], there[56];
	unsigned int from, to;

	if (sscanf(line, " %*u: %32[0-9A-F]:%x %32[0-9A-F]:%x %*x %*x:%*x %*x:%*x %*x %*u %*u %llu", local, &from, remote, &to,
		   inode) != 5 || !*inode || !address_write(here, sizeof(here), local, from) ||
	    !address_write(there, sizeof(there), remote, to))
		return false;
	/* A socket that listens, or isn't connected, has no other end. */
	snprintf(name, FXT_SOCKET_NAME_BYTES, to ? "%s > %s" : "%s", here, there);
	return true;
}

bool fxt_sockets_each(const char *folder, unsigned int most,
		      bool (*each)(void *arg, const char *kind, __u64 inode, const char *name), void *arg)
{
	static const char *const tables[] = { "tcp", "tcp6", "udp", "udp6" };
	unsigned int lines = most * LINES_SHARE;
	char name[FXT_SOCKET_NAME_BYTES], path[64], *line = NULL;
	size_t i, room = 0;
	bool more = true;
	__u64 inode;

	for (i = 0; i < sizeof(tables) / sizeof(*tables) && more; i++) {
		FILE *f;

		snprintf(path, sizeof(path), "%s/net/%s", folder, tables[i]);
		f = fopen(path, "re");
		while (f && more && getline(&line, &room, f) >= 0) {
			more = lines && most;
			lines -= more;
			if (!more || !line_read(line, &inode, name))
				continue;
			most--;
			more = each(arg, i % 2 ? "inet6" : "inet", inode, name);
		}
		if (f)
			fclose(f);
	}
	free(line);
	return more;
}
