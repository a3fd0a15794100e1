// SPDX-License-Identifier: GPL-2.0-only
/* Runs, in the child, a graph of libbabeltrace2 that reads all traces, without a muxer: merging is done here. */
#include <stdlib.h>
#include <sys/resource.h>

#include "formats/ctf/send.h"

/* Limit of the heap; the library also maps some MiB of each file. */
#define HEAP_BYTES	((rlim_t)112 << 20)

static struct fxt_ctf_sender sender;

/* Initializes the only sink: it adds no port yet, as the streams aren't known. */
static bt_component_class_initialize_method_status sink_init(bt_self_component_sink *self,
		bt_self_component_sink_configuration *configuration, const bt_value *params, void *data)
{
	(void)configuration;
	(void)params;
	bt_self_component_set_data(bt_self_component_sink_as_self_component(self), data);
	*(bt_self_component_sink **)data = self;
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static bt_component_class_sink_graph_is_configured_method_status sink_configured(bt_self_component_sink *self)
{
	__u32 i;

	for (i = 0; i < sender.stream_count; i++) {
		struct fxt_ctf_stream *st = &sender.streams[i];

		if (!bt_message_iterator_create_from_sink_component(self,
				bt_self_component_sink_borrow_input_port_by_index(self, i), &st->iterator))
			continue;
		bt_current_thread_clear_error();
		st->iterator = NULL;
		fxt_ctf_broken(&sender, st->trace);
	}
	return BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_OK;
}

static bt_component_class_sink_consume_method_status sink_consume(bt_self_component_sink *self)
{
	(void)self;
	fxt_ctf_streams_send(&sender);
	return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_END;
}

static const bt_component_class_sink *sink_class_make(void)
{
	bt_component_class_sink *class = bt_component_class_sink_create("fxtrec", sink_consume);

	if (!class || bt_component_class_sink_set_initialize_method(class, sink_init) ||
	    bt_component_class_sink_set_graph_is_configured_method(class, sink_configured))
		return NULL;
	return class;
}

/* Limits the memory that a damaged file can use, and raises the limit of files to the number of streams. */
static void limits_set(void)
{
	struct rlimit heap = { HEAP_BYTES, HEAP_BYTES }, files;

	if (FXT_CHILD_LIMITS)
		setrlimit(RLIMIT_DATA, &heap);
	if (!getrlimit(RLIMIT_NOFILE, &files)) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
}

int fxt_ctf_send(struct fxt_child_out *out, void *traces)
{
	const bt_component_class_sink *class;
	const bt_component_sink *component;
	bt_self_component_sink *self = NULL;
	const bt_plugin *plugin;

	sender = (struct fxt_ctf_sender){ .out = out, .traces = traces };
	limits_set();
	bt_logging_set_global_level(BT_LOGGING_LEVEL_NONE);
	/* Finds the system's plugin only: an environment variable must not choose which code runs. */
	if (bt_plugin_find("ctf", BT_FALSE, BT_FALSE, BT_TRUE, BT_FALSE, BT_FALSE, &plugin))
		return FXT_CTF_NO_PLUGIN;
	class = sink_class_make();
	sender.graph = bt_graph_create(0);
	if (!class || !sender.graph ||
	    bt_graph_add_sink_component_with_initialize_method_data(sender.graph, class, "fxtrec", NULL, &self,
								    BT_LOGGING_LEVEL_NONE, &component))
		return 1;
	if (fxt_ctf_graph_make(&sender, plugin, component, self))
		return 1;
	if (!sender.stream_count)
		return 0;
	return bt_graph_run(sender.graph) < 0;
}
