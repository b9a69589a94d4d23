/** A merchant's server that accepts every webhook and counts them. */
const ids = new Set<string | null>()
let requests = 0
const merchant = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    await request.text()
    requests++
    ids.add(request.headers.get('webhook-id'))
    return new Response('ok')
  },
})
process.on('message', () => process.send?.({ requests, deliveries: ids.size }))
process.on('disconnect', () => process.exit(0))
process.send?.({ port: merchant.port })
