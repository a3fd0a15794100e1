// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec top --prometheus: answers a scraper, by libmicrohttpd, in this one thread. */
#include <errno.h>
#include <netdb.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/top.h"
#include "live/live.h"
#include "util/quantity.h"
#include "util/report.h"

#ifdef FXT_MICROHTTPD
#include <microhttpd.h>

#define CONNECTIONS	16u
#define TIMEOUT_S	10u
#define TYPE		"text/plain; version=0.0.4; charset=utf-8"

static struct MHD_Daemon *daemon_of(struct top *top)
{
	return top->server;
}

static enum MHD_Result answer(struct MHD_Connection *connection, unsigned int status, char *text, size_t bytes,
			      const char *type)
{
	struct MHD_Response *response = MHD_create_response_from_buffer(bytes, text, MHD_RESPMEM_MUST_COPY);
	enum MHD_Result result;

	if (!response)
		return MHD_NO;
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	result = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return result;
}

static enum MHD_Result request(void *arg, struct MHD_Connection *connection, const char *url, const char *method,
			       const char *version, const char *upload, size_t *upload_bytes, void **state)
{
	static char missing[] = "only /metrics is here\n", wrong[] = "only GET and HEAD\n";
	struct top *top = arg;
	struct fxt_buffer text = { 0 };
	enum MHD_Result result;

	(void)version;
	(void)upload;
	(void)upload_bytes;
	(void)state;
	if (strcmp(method, MHD_HTTP_METHOD_GET) && strcmp(method, MHD_HTTP_METHOD_HEAD))
		return answer(connection, MHD_HTTP_METHOD_NOT_ALLOWED, wrong, strlen(wrong), "text/plain");
	if (strcmp(url, "/metrics"))
		return answer(connection, MHD_HTTP_NOT_FOUND, missing, strlen(missing), "text/plain");
	fxt_metrics_write(&top->metrics, top->live ? top->live->queue.late : 0, &text);
	result = text.failed ? MHD_NO : answer(connection, MHD_HTTP_OK, text.bytes, text.length, TYPE);
	fxt_buffer_uninit(&text);
	return result;
}

/* Parses "127.0.0.1:9464", "[::1]:9464", or ":9464" for all addresses of the machine. */
static struct addrinfo *address_find(const char *address)
{
	struct addrinfo hints = {
		.ai_flags = AI_PASSIVE | AI_NUMERICHOST | AI_NUMERICSERV,
		.ai_socktype = SOCK_STREAM,
	}, *found;
	char *host = strdupa(address), *port = strrchr(host, ':');
	size_t length;
	__u64 number;

	/* The library takes a number's last 16 bits. */
	if (!port || fxt_quantity_count(port + 1, UINT16_MAX + 1, &number) || !number)
		return NULL;
	*port++ = '\0';
	length = strlen(host);
	if (length >= 2 && host[0] == '[' && host[length - 1] == ']') {
		host[length - 1] = '\0';
		host++;
	}
	return getaddrinfo(*host ? host : NULL, port, &hints, &found) ? NULL : found;
}

bool top_serve_address(const char *address)
{
	struct addrinfo *found = address_find(address);

	if (found)
		freeaddrinfo(found);
	return found;
}

int top_serve_open(struct top *top)
{
	const char *address = top->options->address;
	struct addrinfo *found = address_find(address);
	unsigned int flags = MHD_USE_EPOLL;

	if (!found)
		return fxt_report("--prometheus=%s: no address", address);
	if (found->ai_family == AF_INET6)
		flags |= MHD_USE_IPv6;
	errno = 0;
	top->server = MHD_start_daemon(flags, 0, NULL, NULL, request, top, MHD_OPTION_SOCK_ADDR, found->ai_addr,
				       MHD_OPTION_CONNECTION_LIMIT, CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT,
				       TIMEOUT_S, MHD_OPTION_END);
	freeaddrinfo(found);
	return top->server ? FXT_DONE : fxt_report("--prometheus=%s: %s", address,
						   errno ? strerror(errno) : "can't listen there");
}

int top_serve_fd(struct top *top)
{
	const union MHD_DaemonInfo *info = top->server ?
		MHD_get_daemon_info(daemon_of(top), MHD_DAEMON_INFO_EPOLL_FD) : NULL;

	return info ? info->epoll_fd : -1;
}

void top_serve_run(struct top *top)
{
	if (top->server)
		MHD_run(daemon_of(top));
}

void top_serve_close(struct top *top)
{
	if (top->server)
		MHD_stop_daemon(daemon_of(top));
	top->server = NULL;
	fxt_metrics_uninit(&top->metrics);
}

#else	/* !FXT_MICROHTTPD */

bool top_serve_address(const char *address)
{
	(void)address;
	return true;
}

int top_serve_open(struct top *top)
{
	(void)top;
	return fxt_report("this build has no --prometheus, as libmicrohttpd-dev was missing");
}

int top_serve_fd(struct top *top)
{
	(void)top;
	return -1;
}

void top_serve_run(struct top *top)
{
	(void)top;
}

void top_serve_close(struct top *top)
{
	(void)top;
}

#endif
