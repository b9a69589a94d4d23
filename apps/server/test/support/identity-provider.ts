import { afterAll } from 'bun:test'
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto'

export type Person = { sub: string; email?: string; email_verified?: boolean; name?: string }

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** What a misbehaving provider puts into its ID token. */
type Forgery = { claims?: object; isSignedByAnother?: boolean }

/** An OpenID Connect provider that signs in the given person, and checks the client as the specification says. */
export const startIdentityProvider = async () => {
  const [keys, otherKeys] = [1, 2].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }))
  const codes = new Map<string, { person: Person; nonce: string; challenge: string; redirectUri: string }>()
  const state: { forgery: Forgery; isDown: boolean; issuer?: string } = { forgery: {}, isDown: false }
  const client = { clientId: 'tributary', clientSecret: 'a client secret' }

  const idToken = (claims: object) => {
    const parts = `${encode({ alg: 'RS256', kid: 'one', typ: 'JWT' })}.${encode(claims)}`
    const key = state.forgery.isSignedByAnother ? otherKeys?.privateKey : keys?.privateKey
    if (!key) throw new Error('no key')
    return `${parts}.${sign('RSA-SHA256', Buffer.from(parts), key).toString('base64url')}`
  }

  const exchange = async (request: Request) => {
    const form = new URLSearchParams(await request.text())
    const basic = request.headers.get('authorization')?.replace('Basic ', '') ?? ''
    const [, secret = form.get('client_secret')] = Buffer.from(basic, 'base64').toString().split(':')
    const grant = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight = grant?.challenge === challenge && grant.redirectUri === form.get('redirect_uri')
    if (!isRight || decodeURIComponent(secret ?? '').replaceAll('+', ' ') !== client.clientSecret)
      return Response.json({ error: 'invalid_grant' }, { status: 400 })
    const now = Math.floor(Date.now() / 1000)
    const standard = { iss: issuer, aud: client.clientId, iat: now, exp: now + 300, nonce: grant.nonce }
    const id_token = idToken({ ...standard, ...grant.person, ...state.forgery.claims })
    return Response.json({ access_token: randomUUID(), token_type: 'Bearer', expires_in: 300, id_token })
  }

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request): Promise<Response> => {
      const { pathname } = new URL(request.url)
      if (state.isDown) return new Response('down', { status: 503 })
      if (pathname === '/token') return exchange(request)
      if (pathname === '/keys')
        return Response.json({
          keys: [{ ...keys?.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }],
        })
      if (pathname !== '/.well-known/openid-configuration') return new Response('not found', { status: 404 })
      return Response.json({
        issuer: state.issuer ?? issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        id_token_signing_alg_values_supported: ['RS256'],
      })
    },
  })
  const issuer: string = `http://127.0.0.1:${server.port}`
  afterAll(() => server.stop(true))

  /** The person agrees at the provider: the address to which their browser returns. */
  const agree = (authorizationUrl: string, person: Person) => {
    const asked = Object.fromEntries(new URL(authorizationUrl).searchParams)
    const code = randomUUID()
    const { nonce = '', code_challenge: challenge = '', redirect_uri: redirectUri = '' } = asked
    codes.set(code, { person, nonce, challenge, redirectUri })
    return {
      asked,
      path: `${new URL(redirectUri).pathname}?${new URLSearchParams({ code, state: asked.state ?? '' })}`,
    }
  }

  const settings = { issuer, ...client, name: 'Acme', allowedDomains: [] as string[] }
  return { settings, state, agree }
}
