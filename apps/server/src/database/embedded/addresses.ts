import { hkdfSync } from 'node:crypto'
import { OWNER } from './cluster.ts'

/** The login that requests are served with. It owns nothing, and its only rights are those of the application's role. */
export const SERVICE = 'tributary_service'

/** Follows from the owner's password, which cannot be found from it. */
export const servicePassword = (password: string) =>
  Buffer.from(hkdfSync('sha256', password, '', 'tributary service login', 32)).toString('base64url')

type Server = { folder: string; password: string; database?: string }

/** The embedded server's addresses, by the folder of its socket: the owner's and the service's. */
export const addressesOf = ({ folder, password, database = OWNER }: Server) => {
  const addressFor = (user: string, secret: string) =>
    `postgres://${user}:${encodeURIComponent(secret)}@localhost/${database}?host=${encodeURIComponent(folder)}`
  return { url: addressFor(OWNER, password), serviceUrl: addressFor(SERVICE, servicePassword(password)) }
}
