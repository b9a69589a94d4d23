import { VERSION } from '@tributary/contract/version'
import type { Config } from '../../config/config.ts'
import { createMailer } from '../../mail/mailer.ts'
import { type Finding, fail, ok, reasonOf, warn } from './finding.ts'

const TIMEOUT_MS = 5_000
const LOOPBACK = /^(localhost|127\.|\[?::1)/

const getHealth = async (url: string) => {
  const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'manual' })
  const body = (await response.json().catch(() => null)) as { version?: string } | null
  if (!response.ok || !body?.version) throw new Error(`it answered ${response.status}`)
  return body.version
}

export const checkNetwork = async (config: Config): Promise<Finding[]> => {
  const running = await checkService(config)
  return [
    running,
    ...(running.level === 'ok' ? [await checkPublicAddress(config)] : []),
    checkProxy(config),
    await checkMail(config),
  ]
}

const checkService = async ({ host, port }: Config) => {
  const address = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host
  try {
    const version = await getHealth(`http://${address.includes(':') ? `[${address}]` : address}:${port}`)
    return version === VERSION
      ? ok('service', `Version ${version} is running on port ${port}.`)
      : warn('service', `Version ${version} is running, but version ${VERSION} is installed. Restart the service.`)
  } catch (error) {
    return warn('service', `No service answers on port ${port} of this machine (${reasonOf(error)}).`)
  }
}

const checkPublicAddress = async ({ baseUrl }: Config) => {
  const { hostname, protocol } = new URL(baseUrl)
  if (LOOPBACK.test(hostname))
    return warn(
      'address',
      `BASE_URL is ${baseUrl}, which works only on this machine. Set it to the public https address.`,
    )
  try {
    await getHealth(baseUrl)
  } catch (error) {
    return fail(
      'address',
      `${baseUrl} does not lead to this service (${reasonOf(error)}). Check DNS, proxy and certificate.`,
    )
  }
  return protocol === 'https:'
    ? ok('address', `${baseUrl} leads to the service.`)
    : warn('address', `${baseUrl} leads to the service without encryption. Set up https and change BASE_URL.`)
}

const checkProxy = ({ baseUrl, trustedProxies, host }: Config) => {
  if (trustedProxies.length > 0) return ok('proxy', `X-Forwarded-For is trusted from ${trustedProxies.join(', ')}.`)
  if (baseUrl.startsWith('https:') || LOOPBACK.test(host))
    return warn(
      'proxy',
      'TRUSTED_PROXIES is not set, so all visitors behind a proxy count as one. Set it to the address of the proxy.',
    )
  return ok('proxy', 'No proxy is configured.')
}

const checkMail = async ({ mail }: Config) => {
  if (!mail) return ok('mail', 'SMTP_URL is not set: no email is sent, and invitations are links to copy.')
  const problem = await createMailer(mail, { log: { warn: () => {} } }).findProblem()
  return problem
    ? fail('mail', `The mail server in SMTP_URL does not accept us (${problem}).`)
    : ok('mail', 'The mail server accepts us.')
}
