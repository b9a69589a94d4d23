/**
 * The floor: the limit of this machine and runtime. A bare server that parses JSON and writes it back; the service does
 * the same plus its actual work.
 */
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => Response.json(await request.json()),
})
process.send?.({ port: server.port })
process.on('disconnect', () => process.exit(0))
