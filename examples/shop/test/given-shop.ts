import { afterAll } from 'bun:test'
import { givenPayingProgram } from '../../../apps/server/test/support/money.ts'
import type { TestService } from '../../../apps/server/test/support/service.ts'
import { givenService } from '../../../apps/server/test/support/shared-service.ts'
import { DEFAULT_ACCOUNT, type ProcessorOptions, startProcessor } from '../../processor/src/index.ts'
import { startShop } from '../src/start-shop.ts'

type ShopOptions = Partial<Parameters<typeof startShop>[0]>

/** 20 % of every sale. */
const REWARD = {
  lead: null,
  sale: { percentBps: 2000, duration: 'lifetime' },
  holdDays: 14,
  minimumPayoutCents: 0,
}

/** A test service, and shops connected to it. */
export const givenTributary = async () => {
  const service = await givenService()
  return {
    service,
    givenShop: (config?: ShopOptions, options?: ProcessorOptions) => startTestShop(service, config, options),
  }
}

/** A running shop with its processor and program. */
const startTestShop = async (
  service: TestService,
  config: ShopOptions = {},
  processorOptions: ProcessorOptions = {},
) => {
  const program = await givenPayingProgram(service, REWARD, { currency: 'USD' })
  const processor = startProcessor({ retryDelaysMs: [], ...processorOptions })
  const logged: string[] = []
  const shop = startShop({
    port: 0,
    hostname: '127.0.0.1',
    publicUrl: null,
    tributaryUrl: service.url,
    programId: program.id,
    apiKey: program.key,
    payments: 'processor',
    processorUrl: processor.url,
    processorKey: DEFAULT_ACCOUNT.secretKey,
    log: (message) => logged.push(message),
    ...config,
  })
  afterAll(async () => {
    await shop.stop()
    await processor.stop()
  })
  return { shop, processor, program, logged }
}

export type TestShop = Awaited<ReturnType<typeof startTestShop>>

/** A proxy that returns 502 until `recover` is called, then forwards every call. */
export const givenUnreliableService = (serviceUrl: string) => {
  let isUp = false
  const paths: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname } = new URL(request.url)
      if (!isUp) return new Response('Bad gateway', { status: 502 })
      paths.push(pathname)
      const { method, headers } = request
      return fetch(serviceUrl + pathname, { method, headers, body: await request.text() })
    },
  })
  afterAll(() => server.stop(true))
  const recover = () => {
    isUp = true
  }
  return { url: `http://127.0.0.1:${server.port}`, paths, recover }
}

/** An HTTP client that keeps cookies and does not follow redirects. */
export const givenVisitor = (shopUrl: string, cookies: Record<string, string> = {}) => {
  const jar = new Map(Object.entries(cookies))
  const visit = async (path: string, form?: Record<string, string>) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(new URL(path, shopUrl), {
      method: form ? 'POST' : 'GET',
      headers: { cookie },
      redirect: 'manual',
      ...(form && { body: new URLSearchParams(form) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
      jar.set(name, value)
    }
    return { status: response.status, location: response.headers.get('location'), html: await response.text() }
  }
  return { visit, signUp: (email: string, more = {}) => visit('/sign-up', { name: 'Ann', email, ...more }) }
}
