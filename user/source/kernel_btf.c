// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's type information: mapped where the kernel permits that, else read.  libbpf's functions copy all of it
 * and take five times as long; libbpf itself reads it again for the programs.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/btf.h>

#include "source/kernel_btf.h"

struct fxt_kernel_btf {
	void *mapping, *copy;		/* memory of the type information, if it isn't the caller's */
	size_t bytes;
	const char *types, *strings;
	__u32 types_bytes, strings_bytes;
	__u32 *offsets;			/* by a type's number: its offset in types, in units of 4 bytes */
	__u32 count;
};

/* Returns the bytes of a type, with its members; 0: not known. */
static size_t type_bytes(const struct btf_type *type)
{
	static const struct {
		__u8 fixed, member;	/* bytes after the type itself, and bytes of each member */
	} more[] = {
		[BTF_KIND_INT] = { 4, 0 },
		[BTF_KIND_ARRAY] = { sizeof(struct btf_array), 0 },
		[BTF_KIND_STRUCT] = { 0, sizeof(struct btf_member) },
		[BTF_KIND_UNION] = { 0, sizeof(struct btf_member) },
		[BTF_KIND_ENUM] = { 0, sizeof(struct btf_enum) },
		[BTF_KIND_FUNC_PROTO] = { 0, sizeof(struct btf_param) },
		[BTF_KIND_VAR] = { sizeof(struct btf_var), 0 },
		[BTF_KIND_DATASEC] = { 0, sizeof(struct btf_var_secinfo) },
		[BTF_KIND_DECL_TAG] = { sizeof(struct btf_decl_tag), 0 },
		[BTF_KIND_ENUM64] = { 0, sizeof(struct btf_enum64) },
	};
	__u32 kind = btf_kind(type);

	if (kind == BTF_KIND_UNKN || kind > BTF_KIND_ENUM64)
		return 0;
	return sizeof(*type) + more[kind].fixed + (size_t)btf_vlen(type) * more[kind].member;
}

static int types_index(struct fxt_kernel_btf *k)
{
	__u32 room = k->types_bytes / sizeof(struct btf_type) + 1, at = 0;

	/* Pages of numbers that no type has are never written. */
	k->offsets = malloc(room * sizeof(*k->offsets));
	if (!k->offsets)
		return -ENOMEM;
	for (k->count = 1; k->types_bytes - at >= sizeof(struct btf_type); k->count++) {
		size_t bytes = type_bytes((const void *)(k->types + at));

		if (!bytes || bytes > k->types_bytes - at)
			return -EINVAL;
		k->offsets[k->count] = at / 4;
		at += bytes;
	}
	return at == k->types_bytes ? 0 : -EINVAL;
}

/* Finds the sections and makes the index.  0 or -errno. */
static int sections_find(struct fxt_kernel_btf *k, const char *bytes, size_t count)
{
	const struct btf_header *header = (const void *)bytes;
	size_t left;

	if (count < sizeof(*header) || header->magic != BTF_MAGIC || header->hdr_len > count || header->hdr_len % 4)
		return -EINVAL;
	left = count - header->hdr_len;
	if (header->type_off > left || header->type_len > left - header->type_off || header->type_off % 4 ||
	    header->str_off > left || header->str_len > left - header->str_off)
		return -EINVAL;
	k->types = bytes + header->hdr_len + header->type_off;
	k->types_bytes = header->type_len;
	k->strings = bytes + header->hdr_len + header->str_off;
	k->strings_bytes = header->str_len;
	if (!k->strings_bytes || k->strings[k->strings_bytes - 1])
		return -EINVAL;
	return types_index(k);
}

static void *read_all(int fd, size_t bytes)
{
	char *copy = malloc(bytes);
	size_t at = 0;
	ssize_t got;

	while (copy && at < bytes) {
		got = read(fd, copy + at, bytes - at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			free(copy);
			errno = got ? errno : EIO;
			return NULL;
		}
		at += got;
	}
	return copy;
}

/* Kernels before 6.16 refuse to map it.  Reading takes more than a thousand calls, each of 4 KiB. */
static int open_fd(struct fxt_kernel_btf *k, int fd)
{
	struct stat file;

	if (fstat(fd, &file))
		return -errno;
	if (file.st_size <= 0)
		return -EINVAL;
	k->bytes = file.st_size;
	k->mapping = mmap(NULL, k->bytes, PROT_READ, MAP_PRIVATE, fd, 0);
	if (k->mapping != MAP_FAILED)
		return sections_find(k, k->mapping, k->bytes);
	k->mapping = NULL;
	k->copy = read_all(fd, k->bytes);
	return k->copy ? sections_find(k, k->copy, k->bytes) : -errno;
}

static struct fxt_kernel_btf *opened(struct fxt_kernel_btf *k, int err)
{
	if (!err)
		return k;
	fxt_kernel_btf_close(k);
	errno = -err;
	return NULL;
}

struct fxt_kernel_btf *fxt_kernel_btf_index(const void *bytes, size_t count)
{
	struct fxt_kernel_btf *k = calloc(1, sizeof(*k));

	return opened(k, k ? sections_find(k, bytes, count) : -ENOMEM);
}

struct fxt_kernel_btf *fxt_kernel_btf_open(void)
{
	struct fxt_kernel_btf *k = calloc(1, sizeof(*k));
	int fd = open(FXT_KERNEL_BTF, O_RDONLY | O_CLOEXEC), err = fd < 0 ? -errno : k ? open_fd(k, fd) : -ENOMEM;

	if (fd >= 0)
		close(fd);
	return opened(k, err);
}

void fxt_kernel_btf_close(struct fxt_kernel_btf *k)
{
	if (!k)
		return;
	if (k->mapping)
		munmap(k->mapping, k->bytes);
	free(k->copy);
	free(k->offsets);
	free(k);
}

const struct btf_type *fxt_kernel_btf_type(const struct fxt_kernel_btf *k, __u32 id)
{
	static const struct btf_type nothing;

	return id && id < k->count ? (const void *)(k->types + 4 * (size_t)k->offsets[id]) : &nothing;
}

const char *fxt_kernel_btf_name(const struct fxt_kernel_btf *k, __u32 offset)
{
	return offset < k->strings_bytes ? k->strings + offset : "";
}

const struct btf_type *fxt_kernel_btf_find(const struct fxt_kernel_btf *k, const char *name, __u32 kind)
{
	const struct btf_type *type;
	__u32 id;

	for (id = 1; id < k->count; id++) {
		type = fxt_kernel_btf_type(k, id);
		if (btf_kind(type) == kind && !strcmp(fxt_kernel_btf_name(k, type->name_off), name))
			return type;
	}
	return NULL;
}
