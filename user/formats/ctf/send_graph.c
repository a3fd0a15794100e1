// SPDX-License-Identifier: GPL-2.0-only
/* Creates a source for each trace, in the child; a trace's folders may be several, after rotations. */
#include <stdio.h>
#include <stdlib.h>

#include "formats/ctf/send.h"
#include "util/array.h"

#define GROUP_BYTES	64u

/* A group of folders with the same UUID: they are parts of one trace. */
struct ctf_group {
	char id[GROUP_BYTES];
	bool is_made;
};

static const bt_value *folder_query(const bt_component_class_source *class, const char *path)
{
	bt_value *params = bt_value_map_create();
	const bt_value *result = NULL;
	bt_query_executor *q;

	if (!params || bt_value_map_insert_string_entry(params, "type", "directory") ||
	    bt_value_map_insert_string_entry(params, "input", path))
		return NULL;
	q = bt_query_executor_create(bt_component_class_source_as_component_class_const(class),
				     "babeltrace.support-info", params);
	if (q && (bt_query_executor_set_logging_level(q, BT_LOGGING_LEVEL_NONE) ||
		  bt_query_executor_query(q, &result)))
		bt_current_thread_clear_error();
	bt_query_executor_put_ref(q);
	bt_value_put_ref(params);
	return result;
}

/* Finds the group of a folder; a trace without a UUID is a group of its own.  False: the folder is not a trace. */
static bool group_find(const bt_component_class_source *class, const char *path, __u32 number, char *id)
{
	const bt_value *result = folder_query(class, path), *group;

	snprintf(id, GROUP_BYTES, "%u", number);
	if (!result || !bt_value_is_map(result)) {
		bt_value_put_ref(result);
		return false;
	}
	group = bt_value_map_borrow_entry_value_const(result, "group");
	if (group && bt_value_is_string(group))
		snprintf(id, GROUP_BYTES, "%s", bt_value_string_get(group));
	bt_value_put_ref(result);
	return true;
}

static struct fxt_ctf_stream *stream_add(struct fxt_ctf_sender *s)
{
	if (fxt_array_more(s->streams, s->stream_count))
		return NULL;
	s->streams[s->stream_count] = (struct fxt_ctf_stream){ .cpu = 0 };
	return &s->streams[s->stream_count++];
}

/* Connects all streams of a source. */
static int source_connect(struct fxt_ctf_sender *s, const bt_component_source *source,
			  const bt_component_sink *sink, bt_self_component_sink *self, __u32 trace)
{
	uint64_t count = bt_component_source_get_output_port_count(source), i;

	for (i = 0; i < count; i++) {
		struct fxt_ctf_stream *st = stream_add(s);
		char name[16];

		snprintf(name, sizeof(name), "in%u", s->stream_count - 1);
		if (!st || bt_self_component_sink_add_input_port(self, name, NULL, NULL) ||
		    bt_graph_connect_ports(s->graph, bt_component_source_borrow_output_port_by_index_const(source, i),
					   bt_component_sink_borrow_input_port_by_index_const(sink, s->stream_count - 1),
					   NULL))
			return 1;
		st->trace = trace;
	}
	return 0;
}

/* Adds a source for the folders of a group; NULL where the library can't read them. */
static const bt_component_source *source_add(struct fxt_ctf_sender *s, const bt_component_class_source *class,
					     struct ctf_group *groups, __u32 first)
{
	const bt_component_source *source = NULL;
	bt_value *params = bt_value_map_create(), *inputs = NULL;
	char name[16];
	__u32 i;

	snprintf(name, sizeof(name), "trace%u", first);
	if (!params || bt_value_map_insert_empty_array_entry(params, "inputs", &inputs))
		return NULL;
	for (i = first; i < s->traces->count; i++) {
		if (groups[i].is_made || strcmp(groups[i].id, groups[first].id))
			continue;
		groups[i].is_made = true;
		if (bt_value_array_append_string_element(inputs, s->traces->path[i]))
			return NULL;
	}
	if (bt_graph_add_source_component(s->graph, class, name, params, BT_LOGGING_LEVEL_NONE, &source)) {
		bt_current_thread_clear_error();
		source = NULL;
	}
	bt_value_put_ref(params);
	return source;
}

int fxt_ctf_graph_make(struct fxt_ctf_sender *s, const bt_plugin *plugin, const bt_component_sink *sink,
		       bt_self_component_sink *self)
{
	const bt_component_class_source *class = bt_plugin_borrow_source_component_class_by_name_const(plugin, "fs");
	struct ctf_group *groups = calloc(s->traces->count, sizeof(*groups));
	__u32 i;
	int err = !class || !groups;

	for (i = 0; !err && i < s->traces->count; i++) {
		groups[i].is_made = !group_find(class, s->traces->path[i], i, groups[i].id);
		if (groups[i].is_made)
			fxt_ctf_broken(s, i);
	}
	for (i = 0; !err && i < s->traces->count; i++) {
		const bt_component_source *source;

		if (groups[i].is_made)
			continue;
		source = source_add(s, class, groups, i);
		if (source)
			err = source_connect(s, source, sink, self, i);
		else
			fxt_ctf_broken(s, i);
	}
	free(groups);
	return err;
}
