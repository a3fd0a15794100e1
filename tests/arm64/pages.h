/* SPDX-License-Identifier: GPL-2.0-only */
/* What a kernel of 64 KiB pages has in its configuration, where Debian's has pages of 4 KiB. */
#undef CONFIG_ARM64_4K_PAGES
#undef CONFIG_HAVE_PAGE_SIZE_4KB
#undef CONFIG_PAGE_SIZE_4KB
#undef CONFIG_ARM64_LPA2
#undef CONFIG_ARM64_PAGE_SHIFT
#undef CONFIG_PAGE_SHIFT
#undef CONFIG_PGTABLE_LEVELS
#define CONFIG_ARM64_64K_PAGES 1
#define CONFIG_HAVE_PAGE_SIZE_64KB 1
#define CONFIG_PAGE_SIZE_64KB 1
#define CONFIG_ARM64_PAGE_SHIFT 16
#define CONFIG_PAGE_SHIFT 16
#define CONFIG_PGTABLE_LEVELS 3
