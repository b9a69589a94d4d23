export type ShopConfig = {
  /** 0 is any free one. */
  port: number
  hostname: string
  /** The address that customers see; by default the port on localhost. */
  publicUrl: string | null
  /** Where Tributary answers, the program that pays the shop's partners, and a key of it. */
  tributaryUrl: string
  programId: number
  apiKey: string
  /** `processor`: the processor's hosted checkout, and Tributary reads its webhooks. `server`: the shop reports its sales itself. */
  payments: 'processor' | 'server'
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
  processorUrl: (env.PROCESSOR_URL || 'http://localhost:3002').replace(/\/+$/, ''),
  processorKey: env.PROCESSOR_KEY || 'sk_standin',
})

const required = (env: Record<string, string | undefined>, name: string) => {
  const value = env[name]
  if (!value) throw new Error(`${name} is missing. It is in the settings of your program.`)
  return value
}
