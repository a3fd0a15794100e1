// SPDX-License-Identifier: GPL-2.0-only
/* Reads the .modinfo section of a module's file, and the signature after it. */
#include <errno.h>
#include <libelf.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "doctor/module_file.h"

/* The kernel's MODULE_SIG_STRING, at the end of a signed module. */
static const char signature[] = "~Module signature appended~\n";

/* Finds the value of "key=value" in zero-terminated texts, up to a space. */
static void value_find(const char *texts, size_t bytes, const char *key, char *value, size_t room)
{
	size_t at, length = strlen(key);

	for (at = 0; at < bytes; at += strnlen(texts + at, bytes - at) + 1) {
		size_t left = strnlen(texts + at, bytes - at);

		if (left <= length || strncmp(texts + at, key, length) || texts[at + length] != '=')
			continue;
		snprintf(value, room, "%.*s", (int)(left - length - 1), texts + at + length + 1);
		value[strcspn(value, " ")] = '\0';
		return;
	}
}

static void modinfo_read(struct fxt_module_file *file, Elf *elf)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return;
	while ((section = elf_nextscn(elf, section))) {
		Elf64_Shdr *header = elf64_getshdr(section);
		const char *name = header ? elf_strptr(elf, names, header->sh_name) : NULL;
		Elf_Data *data;

		if (!name || strcmp(name, ".modinfo"))
			continue;
		data = elf_rawdata(section, NULL);
		if (!data || !data->d_buf)
			return;
		value_find(data->d_buf, data->d_size, "version", file->version, sizeof(file->version));
		value_find(data->d_buf, data->d_size, "vermagic", file->release, sizeof(file->release));
	}
}

static bool signature_has(int fd)
{
	char end[sizeof(signature) - 1];
	off_t size = lseek(fd, 0, SEEK_END);

	return size > (off_t)sizeof(end) &&
	       pread(fd, end, sizeof(end), size - sizeof(end)) == sizeof(end) &&
	       !memcmp(end, signature, sizeof(end));
}

int fxt_module_file_read(struct fxt_module_file *file, int fd)
{
	Elf *elf;

	*file = (struct fxt_module_file){ .is_signed = signature_has(fd) };
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf || elf_kind(elf) != ELF_K_ELF) {
		elf_end(elf);
		return -ENOEXEC;
	}
	modinfo_read(file, elf);
	elf_end(elf);
	return 0;
}
