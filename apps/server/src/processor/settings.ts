import { readStripe, STRIPE_SECRETS } from './stripe/settings.ts'

type Environment = Record<string, string | undefined>

/** The settings of processors that have any. Most have none, because merchants add their own webhook endpoint. */
export const readProcessorSettings = (env: Environment) => ({
  stripe: readStripe(env),
})

export type ProcessorSettings = ReturnType<typeof readProcessorSettings>

/** Those that contain a secret. */
export const PROCESSOR_SECRETS = [...STRIPE_SECRETS]
