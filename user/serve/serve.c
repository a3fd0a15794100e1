// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec open: serves the trace to the UI's page, or a page to the browser, once, by libmicrohttpd in this thread. */
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "serve/serve.h"
#include "util/report.h"
#include "util/time.h"

#ifdef FXT_MICROHTTPD
#include <microhttpd.h>

#define CONNECTIONS	256u
#define TIMEOUT_S	60u
/* A connection without a request is closed earlier, as it occupies a connection. */
#define SILENCE_S	5u
#define POLL_MS		250

/* A UI that is served from here loads parts of itself for some time after the trace. */
#define UI_NS		(15 * SECOND_NS)

/* Adds the headers that let the UI's page read an answer; other pages can't. */
static void origin_allow(struct fxt_serve *o, struct MHD_Response *response)
{
	MHD_add_response_header(response, MHD_HTTP_HEADER_ACCESS_CONTROL_ALLOW_ORIGIN, o->origin);
	MHD_add_response_header(response, MHD_HTTP_HEADER_VARY, MHD_HTTP_HEADER_ORIGIN);
	MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
	MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
}

static enum MHD_Result queue(struct MHD_Connection *connection, unsigned int status,
			     struct MHD_Response *response)
{
	enum MHD_Result result = response ? MHD_queue_response(connection, status, response) : MHD_NO;

	if (response)
		MHD_destroy_response(response);
	return result;
}

static enum MHD_Result refuse(struct MHD_Connection *connection, unsigned int status)
{
	static char nothing[] = "";

	return queue(connection, status, MHD_create_response_from_buffer(0, nothing, MHD_RESPMEM_PERSISTENT));
}

struct find {
	const char *name, *value;
	unsigned int count;
};

static enum MHD_Result header_look(void *arg, enum MHD_ValueKind kind, const char *name, const char *value)
{
	struct find *find = arg;

	(void)kind;
	if (strcasecmp(name, find->name))
		return MHD_YES;
	find->value = value;
	find->count++;
	return MHD_YES;
}

/* Returns whether a header is present once, with that value. */
static bool header_is(struct MHD_Connection *connection, const char *name, const char *value)
{
	struct find find = { .name = name };

	MHD_get_connection_values(connection, MHD_HEADER_KIND, header_look, &find);
	return find.count == 1 && find.value && !strcmp(find.value, value);
}

static bool header_there(struct MHD_Connection *connection, const char *name)
{
	struct find find = { .name = name };

	MHD_get_connection_values(connection, MHD_HEADER_KIND, header_look, &find);
	return find.count;
}

static bool header_absent_or(struct MHD_Connection *connection, const char *name, const char *value)
{
	return !header_there(connection, name) || header_is(connection, name, value);
}

/*
 * Returns whether the origin is allowed.  A page that was served from here sends no origin when it fetches from here.
 */
static bool origin_is_ours(struct fxt_serve *o, struct MHD_Connection *connection)
{
	if (o->ui_fd >= 0 && !header_there(connection, MHD_HTTP_HEADER_ORIGIN))
		return header_absent_or(connection, "Sec-Fetch-Site", "same-origin");
	return header_is(connection, MHD_HTTP_HEADER_ORIGIN, o->origin);
}

/* Returns whether a tab opens the page: it must not be part of another page, which could read it. */
static bool is_opened(struct MHD_Connection *connection)
{
	return !header_there(connection, MHD_HTTP_HEADER_ORIGIN) &&
	       header_absent_or(connection, "Sec-Fetch-Mode", "navigate") &&
	       header_absent_or(connection, "Sec-Fetch-Dest", "document");
}

static bool is_allowed(struct fxt_serve *o, struct MHD_Connection *connection)
{
	return o->page ? is_opened(connection) : origin_is_ours(o, connection);
}

/* Answers the browser's question whether a page of the network may fetch from this machine. */
static enum MHD_Result preflight(struct fxt_serve *o, struct MHD_Connection *connection)
{
	static char nothing[] = "";
	struct MHD_Response *response = MHD_create_response_from_buffer(0, nothing, MHD_RESPMEM_PERSISTENT);

	if (!response)
		return MHD_NO;
	origin_allow(o, response);
	MHD_add_response_header(response, MHD_HTTP_HEADER_ACCESS_CONTROL_ALLOW_METHODS, MHD_HTTP_METHOD_GET);
	if (header_is(connection, "Access-Control-Request-Private-Network", "true"))
		MHD_add_response_header(response, "Access-Control-Allow-Private-Network", "true");
	if (header_is(connection, "Access-Control-Request-Local-Network", "true"))
		MHD_add_response_header(response, "Access-Control-Allow-Local-Network", "true");
	return queue(connection, MHD_HTTP_NO_CONTENT, response);
}

static void trace_headers(struct fxt_serve *o, struct MHD_Response *response)
{
	origin_allow(o, response);
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, "application/octet-stream");
}

/*
 * Adds the headers of a page.  The browser keeps the page for itself, so that going back to it needs no second answer.
 */
static void page_headers(struct MHD_Response *response)
{
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, "text/html; charset=utf-8");
	MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "private, max-age=86400");
	MHD_add_response_header(response, "Content-Security-Policy", "frame-ancestors 'none'");
	MHD_add_response_header(response, "Cross-Origin-Opener-Policy", "same-origin");
	MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
	MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
}

static enum MHD_Result give(struct fxt_serve *o, struct MHD_Connection *connection, void **state)
{
	struct MHD_Response *response;
	int fd;

	if (o->taken)
		return refuse(connection, MHD_HTTP_GONE);
	fd = dup(o->fd);
	response = fd < 0 ? NULL : MHD_create_response_from_fd64(o->bytes, fd);
	if (!response) {
		if (fd >= 0)
			close(fd);
		return MHD_NO;
	}
	if (o->page)
		page_headers(response);
	else
		trace_headers(o, response);
	o->taken = true;
	*state = o;
	return queue(connection, MHD_HTTP_OK, response);
}

static enum MHD_Result ui_give(struct fxt_serve *o, struct MHD_Connection *connection, const char *url)
{
	const char *type = NULL;
	__u64 bytes = 0;
	int fd = o->ui_fd < 0 ? -ENOENT : fxt_serve_ui_file(o->ui_fd, url, &bytes, &type);
	struct MHD_Response *response;

	if (fd < 0)
		return refuse(connection, MHD_HTTP_NOT_FOUND);
	response = MHD_create_response_from_fd64(bytes, fd);
	if (!response) {
		close(fd);
		return MHD_NO;
	}
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-cache");
	MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
	return queue(connection, MHD_HTTP_OK, response);
}

static enum MHD_Result request(void *arg, struct MHD_Connection *connection, const char *url, const char *method,
			       const char *version, const char *upload, size_t *upload_bytes, void **state)
{
	struct fxt_serve *o = arg;
	bool get = !strcmp(method, MHD_HTTP_METHOD_GET);

	(void)version;
	(void)upload;
	(void)upload_bytes;
	o->last_ns = fxt_time_ns(CLOCK_MONOTONIC);
	MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, TIMEOUT_S);
	/* A request with another host name comes from another page. */
	if (!header_is(connection, MHD_HTTP_HEADER_HOST, o->host))
		return refuse(connection, MHD_HTTP_FORBIDDEN);
	if (strcmp(url, o->path))
		return get ? ui_give(o, connection, url) : refuse(connection, MHD_HTTP_NOT_FOUND);
	if (!is_allowed(o, connection))
		return refuse(connection, MHD_HTTP_FORBIDDEN);
	if (!o->page && !strcmp(method, MHD_HTTP_METHOD_OPTIONS))
		return preflight(o, connection);
	return get ? give(o, connection, state) : refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED);
}

/* Closes the connections of other users before they can occupy a connection or request anything. */
static enum MHD_Result accept_owner(void *arg, const struct sockaddr *peer, socklen_t bytes)
{
	const struct fxt_serve *o = arg;

	return bytes >= sizeof(struct sockaddr_in) && peer->sa_family == AF_INET &&
	       fxt_serve_peer_is_owner(o->diag, (const struct sockaddr_in *)peer, o->port) ? MHD_YES : MHD_NO;
}

/* Notes a completed download; an interrupted one doesn't count. */
static void completed(void *arg, struct MHD_Connection *connection, void **state,
		      enum MHD_RequestTerminationCode code)
{
	struct fxt_serve *o = arg;

	(void)connection;
	if (*state != o)
		return;
	*state = NULL;
	o->last_ns = fxt_time_ns(CLOCK_MONOTONIC);
	o->done = code == MHD_REQUEST_TERMINATED_COMPLETED_OK;
	o->taken = o->done;
}

static int listen_at(struct fxt_serve *o)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons(o->port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};

	errno = 0;
	o->server = MHD_start_daemon(MHD_USE_EPOLL, 0, accept_owner, o, request, o,
				     MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
				     MHD_OPTION_NOTIFY_COMPLETED, completed, o,
				     MHD_OPTION_CONNECTION_LIMIT, CONNECTIONS,
				     MHD_OPTION_CONNECTION_TIMEOUT, SILENCE_S, MHD_OPTION_END);
	if (o->server)
		return FXT_DONE;
	if (errno == EADDRINUSE)
		return fxt_report("127.0.0.1:%u: another program has this port: perhaps another \"fxtrec open\" or "
				  "Perfetto's trace_processor", o->port);
	return fxt_report("127.0.0.1:%u: %s", o->port, errno ? strerror(errno) : "can't listen there");
}

int fxt_serve_begin(struct fxt_serve *o)
{
	int status = listen_at(o);

	if (status)
		return status;
	o->diag = fxt_serve_peers_open(o->port);
	if (o->diag >= 0)
		return FXT_DONE;
	MHD_stop_daemon(o->server);
	o->server = NULL;
	return fxt_report("127.0.0.1:%u: the kernel reports no user of a connection (inet_diag, tcp_diag): %s: so nothing "
			  "is served, as any user could fetch it", o->port, strerror(-o->diag));
}

void fxt_serve_run(struct fxt_serve *o)
{
	while (!o->done || (o->ui_fd >= 0 && fxt_time_ns(CLOCK_MONOTONIC) - o->last_ns < UI_NS))
		MHD_run_wait(o->server, POLL_MS);
}

void fxt_serve_end(struct fxt_serve *o)
{
	if (!o->server)
		return;
	MHD_stop_daemon(o->server);
	close(o->diag);
	o->server = NULL;
}

#else	/* !FXT_MICROHTTPD */

int fxt_serve_begin(struct fxt_serve *o)
{
	(void)o;
	return fxt_report("this build can't serve a trace, as libmicrohttpd-dev was missing: \"fxtrec convert FILE -o "
			  "x.pftrace\" makes a file for the UI, \"fxtrec page FILE -o x.html\" a page");
}

void fxt_serve_run(struct fxt_serve *o)
{
	(void)o;
}

void fxt_serve_end(struct fxt_serve *o)
{
	(void)o;
}

#endif
