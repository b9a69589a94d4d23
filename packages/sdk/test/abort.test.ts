import { describe, expect, test } from 'bun:test'
import { Tributary } from '@tributary/sdk'
import { realPace } from '../src/pace.ts'
import { caught } from './support/caught.ts'
import { type Fault, startFaultServer } from './support/fault-server.ts'

const LEAD = { customerExternalId: 'user_42', clickId: '1_click' }
const REASON = new Error('the visitor left')

const given = async (fault: Fault, more: object = {}) => {
  const server = await startFaultServer(fault)
  const tributary = new Tributary({ apiKey: 'trk_public_secret', baseUrl: server.url, ...more })
  return { server, tributary, controller: new AbortController() }
}

/** Counts listeners, so that a long-lived signal does not accumulate one per call. */
const listenersOf = (signal: AbortSignal) => {
  const listening = new Set<unknown>()
  const { addEventListener, removeEventListener } = signal
  signal.addEventListener = ((type: 'abort', listener: () => void) => {
    listening.add(listener)
    addEventListener.call(signal, type, listener)
  }) as typeof addEventListener
  signal.removeEventListener = ((type: 'abort', listener: () => void) => {
    listening.delete(listener)
    removeEventListener.call(signal, type, listener)
  }) as typeof removeEventListener
  return listening
}

describe('an abort signal ends the call with its reason', () => {
  test('before anything is sent', async () => {
    const { tributary, server, controller } = await given('reset')
    controller.abort(REASON)
    expect(await caught(() => tributary.trackLead(LEAD, { signal: controller.signal }))).toBe(REASON)
    expect(server.requests.length).toBe(0)
  })

  test('while it waits for the response', async () => {
    const { tributary, server, controller } = await given('hang')
    server.whenHanging(() => controller.abort(REASON))
    expect(await caught(() => tributary.trackLead(LEAD, { signal: controller.signal }))).toBe(REASON)
    expect(server.requests.length).toBe(1)
  })

  test('while it reads the response', async () => {
    const { controller } = await given('reset')
    const fetch = async () => {
      const body = new ReadableStream({
        pull: () => {
          controller.abort(REASON)
          return new Promise(() => {})
        },
      })
      return new Response(body)
    }
    const { tributary } = await given('reset', { fetch })
    expect(await caught(() => tributary.trackLead(LEAD, { signal: controller.signal }))).toBe(REASON)
  })

  test('while it waits to retry', async () => {
    const controller = new AbortController()
    const sleep: typeof realPace.sleep = (_, signal) => {
      const sleeping = realPace.sleep(60_000, signal)
      controller.abort(REASON)
      return sleeping
    }
    const { tributary, server } = await given('reset', { pace: { ...realPace, sleep } })
    expect(await caught(() => tributary.trackLead(LEAD, { signal: controller.signal }))).toBe(REASON)
    expect(server.requests.length).toBe(1)
  })

  test('even if the given fetch ignores it', async () => {
    const controller = new AbortController()
    const fetch = () => {
      queueMicrotask(() => controller.abort(REASON))
      return new Promise(() => {})
    }
    const { tributary } = await given('reset', { fetch })
    expect(await caught(() => tributary.trackLead(LEAD, { signal: controller.signal }))).toBe(REASON)
  })
})

test('a finished call leaves no listener on the signal', async () => {
  const { tributary, controller } = await given({ status: 200, body: '{"success":true,"lead_id":1}' })
  const listening = listenersOf(controller.signal)
  await tributary.trackLead(LEAD, { signal: controller.signal })
  expect(listening.size).toBe(0)

  const failing = await given({ status: 503 })
  await caught(() => failing.tributary.trackLead(LEAD, { signal: controller.signal, budgetMs: 1 }))
  expect(listening.size).toBe(0)
})
