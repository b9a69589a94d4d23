export type SignIn = { email: string; password: string }

type Row = { id: number; name?: string; aff?: string; revokedAt?: string | null }
export type Item = { data: Row & { key?: string; status?: string } & Record<string, unknown> }
export type List = { data: (Row & Record<string, unknown>)[] }

/** A signed-in client for the dashboard API. */
export const signInToDashboard = async (baseUrl: string, signIn: SignIn) => {
  const response = await fetch(`${baseUrl}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: signIn.email, password: signIn.password }),
  })
  if (!response.ok)
    throw new Error(
      `The demo could not sign in as ${signIn.email} (${response.status}). If the password was changed, set DATA_DIR to a new folder.`,
    )
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')

  const call = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const result = await fetch(baseUrl + path, {
      method,
      headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!result.ok) throw new Error(`${method} ${path} returned ${result.status}: ${await result.text()}`)
    return result.json() as Promise<Body>
  }
  return {
    list: async (path: string) => (await call<List>('GET', `${path}?pageSize=100`)).data,
    get: async (path: string) => (await call<Item>('GET', path)).data,
    post: async (path: string, body: object) => (await call<Item>('POST', path, body)).data,
    patch: async (path: string, body: object) => (await call<Item>('PATCH', path, body)).data,
    put: async (path: string, body: object) => (await call<Item>('PUT', path, body)).data,
  }
}

export type Dashboard = Awaited<ReturnType<typeof signInToDashboard>>
