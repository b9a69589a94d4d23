import type { OidcSettings } from '../config/oidc.ts'
import type { Log } from '../log.ts'
import { type Auth, type AuthOptions, createAuth } from './auth.ts'
import { findProviderProblem, PROVIDER } from './sign-on.ts'

export type SignOn = ReturnType<typeof openSignOn>

type Options = Omit<AuthOptions, 'signOn'> & { log: Pick<Log, 'info' | 'warn'> }

/**
 * Sign-in with the identity provider. The service starts without it: if the provider cannot be used, each sign-in tries again.
 */
export const openSignOn = (settings: OidcSettings, { log, ...options }: Options) => {
  let opened: Auth | null = null

  const open = async (): Promise<Auth | null> => {
    if (opened) return opened
    const problem = await findProviderProblem(settings)
    const auth = problem ? null : createAuth({ ...options, signOn: settings })
    const providers = (await auth?.$context)?.socialProviders ?? []
    if (auth && providers.some(({ id }) => id === PROVIDER)) {
      opened = auth
      log.info({ issuer: settings.issuer }, 'identity provider is ready')
    } else
      log.warn({ issuer: settings.issuer }, `cannot use the identity provider: ${problem ?? 'see the previous error'}`)
    return opened
  }

  void open()
  return { name: settings.name, open }
}
