// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's type information: mapped where the kernel permits that, else read as libbpf does. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/btf.h>

#include "source/kernel_btf.h"

/* Kernels before 6.16 refuse to map it.  Reading takes more than a thousand calls, each of 4 KiB. */
static struct btf *mapped(int fd)
{
	struct stat file;
	struct btf *btf;
	void *bytes;

	if (fstat(fd, &file) || file.st_size <= 0)
		return NULL;
	bytes = mmap(NULL, file.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return NULL;
	btf = btf__new(bytes, file.st_size);
	munmap(bytes, file.st_size);
	return btf;
}

struct btf *fxt_kernel_btf(void)
{
	int fd = open(FXT_KERNEL_BTF, O_RDONLY | O_CLOEXEC);
	struct btf *btf = fd < 0 ? NULL : mapped(fd);

	if (fd >= 0)
		close(fd);
	return btf ?: btf__load_vmlinux_btf();
}
