// SPDX-License-Identifier: GPL-2.0-only
/* peer MODE: attaches the pair of eBPF programs of that mode; answers a line with the count of events. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bench/peer.skel.h"

static int is_of(const char *name, const char *mode)
{
	size_t length = strlen(mode);

	return !strncmp(name, mode, length) && name[length] == '_';
}

/* Has only the mode's programs loaded, and the maps that they use; how many there are. */
static int choose(struct peer_bpf *skel, const char *mode, int cpus)
{
	struct bpf_program *program;
	int found = 0;

	bpf_object__for_each_program(program, skel->obj) {
		int wanted = is_of(bpf_program__name(program), mode);

		bpf_program__set_autoload(program, wanted);
		found += wanted;
	}
	bpf_map__set_max_entries(skel->maps.areas, cpus);
	bpf_map__set_autocreate(skel->maps.ring, !strcmp(mode, "ringbuf"));
	bpf_map__set_autocreate(skel->maps.areas, !strcmp(mode, "array"));
	return found;
}

static unsigned long long count(struct peer_bpf *skel, int cpus)
{
	unsigned long long counts[cpus], sum = 0;
	unsigned int key = 0;
	int cpu;

	if (bpf_map_lookup_elem(bpf_map__fd(skel->maps.counts), &key, counts))
		return 0;
	for (cpu = 0; cpu < cpus; cpu++)
		sum += counts[cpu];
	return sum;
}

static int run(struct peer_bpf *skel, const char *mode)
{
	int cpus = libbpf_num_possible_cpus();
	char line[8];

	if (cpus < 0 || !choose(skel, mode, cpus)) {
		fprintf(stderr, "peer: no programs for %s\n", mode);
		return 2;
	}
	if (peer_bpf__load(skel) || peer_bpf__attach(skel)) {
		perror("peer");
		return 1;
	}
	puts("ready");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin)) {
		printf("%llu\n", count(skel, cpus));
		fflush(stdout);
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct peer_bpf *skel;
	int status;

	if (argc != 2) {
		fputs("usage: peer empty|clock|array|ringbuf|count\n", stderr);
		return 2;
	}
	skel = peer_bpf__open();
	if (!skel) {
		perror("peer");
		return 1;
	}
	status = run(skel, argv[1]);
	peer_bpf__destroy(skel);
	return status;
}
