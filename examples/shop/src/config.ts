const PROCESSORS = ['stripe', 'paddle', 'lemonsqueezy', 'polar', 'dodo'] as const

export type ShopConfig = {
  /** 0 picks a free port. */
  port: number
  hostname: string
  /** URL that customers see. Defaults to localhost with the port. */
  publicUrl: string | null
  /** Tributary's URL, the shop's program and an API key. */
  tributaryUrl: string
  programId: number
  apiKey: string
  /** `processor`: hosted checkout, with sales tracked by webhook. `server`: the shop reports its own sales. */
  payments: 'processor' | 'server'
  /** Defaults to Stripe; the others are the fakes of `examples/processor`. */
  processor?: (typeof PROCESSORS)[number]
  processorUrl: string
  processorKey: string
}

export const readShopConfig = (env: Record<string, string | undefined>): ShopConfig => ({
  port: Number(env.PORT || '3001'),
  hostname: env.HOST || '127.0.0.1',
  publicUrl: env.PUBLIC_URL || null,
  tributaryUrl: (env.TRIBUTARY_URL || 'http://localhost:3000').replace(/\/+$/, ''),
  programId: Number(required(env, 'TRIBUTARY_PROGRAM_ID')),
  apiKey: required(env, 'TRIBUTARY_API_KEY'),
  payments: env.PAYMENTS === 'server' ? 'server' : 'processor',
  processor: PROCESSORS.find((name) => name === env.PROCESSOR) ?? 'stripe',
  processorUrl: (env.PROCESSOR_URL || 'http://localhost:3002').replace(/\/+$/, ''),
  processorKey: env.PROCESSOR_KEY || 'sk_standin',
})

const required = (env: Record<string, string | undefined>, name: string) => {
  const value = env[name]
  if (!value) throw new Error(`${name} is missing. Copy it from your program settings.`)
  return value
}
