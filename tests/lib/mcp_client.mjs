// SPDX-License-Identifier: GPL-2.0-only
// Asks "fxtrec mcp" by the protocol's own client library, and prints the answers as JSON: mcp_client.mjs FXTREC FOLDER
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const [fxtrec, folder] = process.argv.slice(2);
const transport = new StdioClientTransport({ command: fxtrec, args: ['mcp', folder], cwd: folder });
const client = new Client({ name: 'fxtrec-test', version: '1' });
const errors = [];
client.onerror = error => errors.push(String(error));
await client.connect(transport);
const answers = {
	server: client.getServerVersion(),
	capabilities: client.getServerCapabilities(),
	instructions: client.getInstructions(),
	ping: await client.ping(),
	tools: (await client.listTools()).tools,
};
const calls = [['info', {}], ['explain', {}], ['report', { by: 'cpu' }], ['blame', {}], ['path', { comm: 'web-1' }],
	['query', { sql: 'SELECT count(*) AS n FROM sched' }], ['compare', { before: 'trace.fxt', after: 'trace.fxt' }],
	['report', { file: '/etc/passwd' }], ['report', { by: 'moon' }]];
answers.calls = [];
for (const [name, args] of calls)
	answers.calls.push({ name, ...await client.callTool({ name, arguments: args }) });
const sql = 'SELECT * FROM thread_state ORDER BY ts, utid';
answers.parts = [];
for (let cursor = ''; cursor !== undefined;) {
	const { content } = await client.callTool({ name: 'query', arguments: cursor ? { sql, cursor } : { sql } });
	answers.parts.push(content[0].text);
	cursor = content[0].text.split('\n').at(-1).match(/^more: cursor (\S+)$/)?.[1];
}
answers.unknown = await client.callTool({ name: 'moon', arguments: {} }).then(() => null, error => error.code);
await client.close();
console.log(JSON.stringify({ ...answers, errors }));
