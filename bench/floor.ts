/**
 * The floor: what this machine and this runtime can do at all. A bare server that reads JSON and writes it back; the
 * service does the same and, beside it, everything that it is for.
 */
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => Response.json(await request.json()),
})
process.send?.({ port: server.port })
process.on('disconnect', () => process.exit(0))
