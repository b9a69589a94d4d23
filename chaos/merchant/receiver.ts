import { Webhook } from 'standardwebhooks'

export type Receiver = ReturnType<typeof startReceiver>

type Options = { name: string; ordered: boolean; answerMs: number }

/**
 * A merchant's server: checks each signature against the real time and applies each webhook-id once. It takes its time to answer, so that
 * faults always find requests in flight.
 */
export const startReceiver = ({ name, ordered, answerMs }: Options) => {
  const known = new Set<string>()
  const applied: { id: string; sequence: number }[] = []
  const complaints = new Map<string, number>()
  let secret = ''
  let requests = 0

  const verify = (text: string, headers: Record<string, string>) => {
    try {
      new Webhook(secret).verify(text, headers)
    } catch (error) {
      const { message } = error as Error
      complaints.set(message, (complaints.get(message) ?? 0) + 1)
    }
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const text = await request.text()
      requests++
      verify(text, Object.fromEntries(request.headers))
      const { id, sequence } = JSON.parse(text) as { id: string; sequence: number }
      const webhookId = request.headers.get('webhook-id') ?? ''
      const apply = () => {
        if (!known.has(webhookId)) applied.push({ id, sequence })
        known.add(webhookId)
      }
      // Some servers act before they answer, others roll back when the caller is gone.
      const isEager = sequence % 2 === 0
      if (isEager) apply()
      await Bun.sleep(Math.random() * answerMs)
      if (request.signal.aborted) return new Response(null, { status: 499 })
      apply()
      return new Response('ok')
    },
  })
  return {
    name,
    ordered,
    url: `http://127.0.0.1:${server.port}/`,
    applied,
    complaints,
    requests: () => requests,
    /** Requests with a webhook-id that was applied before, or never. */
    repeats: () => requests - applied.length,
    trust: (endpointSecret: string) => {
      secret = endpointSecret
    },
    stop: () => server.stop(true),
  }
}
