import { hkdfSync } from 'node:crypto'
import { OWNER } from './cluster.ts'

/** The login that serves requests. It owns nothing and has only the application role's privileges. */
export const SERVICE = 'tributary_service'

/** Derived from the owner's password, which it does not reveal. */
export const servicePassword = (password: string) =>
  Buffer.from(hkdfSync('sha256', password, '', 'tributary service login', 32)).toString('base64url')

type Server = { folder: string; password: string; database?: string }

/** Connection URLs for the embedded server's socket folder: the owner's and the service's. */
export const embeddedUrls = ({ folder, password, database = OWNER }: Server) => {
  const urlFor = (user: string, secret: string) =>
    `postgres://${user}:${encodeURIComponent(secret)}@localhost/${database}?host=${encodeURIComponent(folder)}`
  return { url: urlFor(OWNER, password), serviceUrl: urlFor(SERVICE, servicePassword(password)) }
}
