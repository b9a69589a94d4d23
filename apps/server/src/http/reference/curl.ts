import { EXAMPLE_BODIES } from '@tributary/contract/example-bodies'

const SIGN_OUT = '/api/auth/sign-out'
const PATH_VALUES: Record<string, string> = {
  programId: '1',
  partnerId: '1',
  groupId: '2',
  linkId: '1',
  commissionId: '1',
  payoutId: '1',
  lineId: '1',
  resourceId: '1',
  draftId: '1',
}

type Call = {
  method: string
  path: string
  credential: 'none' | 'key' | 'session'
  takes: 'json' | 'file' | null
  baseUrl: string
}

/** The call as a curl command. Values to fill in are shell variables. */
export const curlFor = ({ method, path, credential, takes, baseUrl }: Call) => {
  const body = EXAMPLE_BODIES[`${method} ${path}`]
  const address = baseUrl + path.replace(/\{(\w+)\}/g, (_, name: string) => PATH_VALUES[name] ?? shellVariable(name))
  const verb = method === 'get' || (method === 'post' && takes) ? '' : `-X ${method.toUpperCase()} `
  return [
    `curl ${verb}"${address}"`,
    ...(credential === 'key' ? ['-H "authorization: Bearer $API_KEY"'] : []),
    ...(credential === 'session' || path === SIGN_OUT ? ['-b cookies.txt'] : []),
    // Sign-up and sign-in set the session cookie.
    ...(path.endsWith('/email') ? ['-c cookies.txt'] : []),
    ...(takes === 'file' ? ['--data-binary @FILE'] : []),
    ...(takes === 'json'
      ? ["-H 'content-type: application/json'", `-d '${JSON.stringify(body ?? {}, null, 2).replaceAll('\n', '\n  ')}'`]
      : []),
  ].join(' \\\n  ')
}

/** `workspaceId` becomes `$WORKSPACE_ID`. */
const shellVariable = (name: string) => `$${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
