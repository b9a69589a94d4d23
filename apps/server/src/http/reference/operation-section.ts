import { EXAMPLE_BODIES } from '@tributary/contract/example-bodies'
import { type Html, html, prose } from '../../html.ts'
import { type Field, fieldsOf, type Schema, variantsOf } from './schema-fields.ts'

type Content = { content: { 'application/json': { schema: Schema } } }

export type Operation = {
  summary: string
  description: string
  tags: string[]
  security: readonly Record<string, unknown>[]
  parameters: { name: string; in: string; required: boolean; description?: string; schema: Schema }[]
  requestBody?: { content: { [Type in string]?: { schema: Schema } } }
  responses: Record<string, { description: string } & Content>
}
export type Listed = { method: string; path: string; operation: Operation }

const CALLERS = {
  public: { label: 'Public', credential: 'none', means: 'No credential needed.' },
  key: { label: 'API key', credential: 'key', means: 'Called by your server with a program API key.' },
  either: {
    label: 'API key or browser',
    credential: 'key',
    means: 'Called by your server with a program API key, or by the visitor’s browser without an Authorization header.',
  },
  session: { label: 'Session', credential: 'session', means: 'Called by a signed-in workspace member.' },
  partner: { label: 'Partner', credential: 'session', means: 'Called by a signed-in partner.' },
} as const

const callerOf = ({ security, tags }: Operation) => {
  if (security.some((scheme) => 'session' in scheme))
    return tags.includes('Partner portal') ? CALLERS.partner : CALLERS.session
  if (!security.some((scheme) => 'programKey' in scheme)) return CALLERS.public
  return security.length > 1 ? CALLERS.either : CALLERS.key
}

export const anchorOf = ({ method, path }: Listed) =>
  `${method}${path.replace(/[^A-Za-z0-9]+/g, '-').replace(/-$/, '')}`

export const methodBadge = (method: string) => html`<span class="method ${method}">${method.toUpperCase()}</span>`

/** The documentation of one call. */
export const operationSection = (listed: Listed, baseUrl: string): Html => {
  const { method, path, operation } = listed
  const caller = callerOf(operation)
  const body = operation.requestBody?.content['application/json']?.schema
  const takes = body ? 'json' : operation.requestBody ? 'file' : null
  const curl = curlFor({ method, path, credential: caller.credential, takes, baseUrl })
  return html`
<section class="operation" id="${anchorOf(listed)}">
<h3><a href="#${anchorOf(listed)}">${operation.summary}</a></h3>
<p class="endpoint">${methodBadge(method)} <code>${path}</code></p>
<p class="caller"><span class="chip">${caller.label}</span> ${caller.means}</p>
<p>${prose(operation.description)}</p>
<pre tabindex="0"><code>${curl}</code></pre>
${parameters(operation, 'path', 'Path parameters')}
${parameters(operation, 'query', 'Query parameters')}
${parameters(operation, 'header', 'Headers')}
${body ? fieldTable('Request body', fieldsOf(body), { showsRequired: true }) : null}
${Object.entries(operation.responses)
  .filter(([status]) => status < '300')
  .map(([status, { content }]) => answers(status, content['application/json'].schema))}
${errors(operation)}
</section>`
}

const parameters = (operation: Operation, where: string, title: string) => {
  const listed = operation.parameters.filter((parameter) => parameter.in === where)
  const properties = Object.fromEntries(
    listed.map(({ name, description, schema }) => [name, { ...schema, ...(description && { description }) }]),
  )
  const required = listed.filter((parameter) => parameter.required).map(({ name }) => name)
  return listed.length === 0 ? null : fieldTable(title, fieldsOf({ properties, required }), { showsRequired: true })
}

const isTestAnswer = ({ properties }: Schema) => properties?.data?.properties?.test_mode !== undefined

const answers = (status: string, schema: Schema) =>
  variantsOf(schema).map((variant) =>
    fieldTable(`Response ${status}${isTestAnswer(variant) ? ' in test mode' : ''}`, fieldsOf(variant), {
      showsRequired: false,
    }),
  )

/** Marks required fields in requests and optional fields in responses. */
export const fieldTable = (title: string, fields: Field[], { showsRequired }: { showsRequired: boolean }) => {
  const note = ({ required }: Field) => (showsRequired ? (required ? 'required' : null) : required ? null : 'optional')
  return html`
<h4>${title}</h4>
<table class="fields">
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Description</th></tr></thead>
<tbody>${fields.map(
    (field) => html`
<tr><td><code>${field.name}</code>${note(field) ? html` <span class="note ${showsRequired ? 'required' : 'optional'}">${note(field)}</span>` : null}</td><td class="type">${field.type}</td><td>${prose(field.meaning)}</td></tr>`,
  )}
</tbody></table>`
}

const errors = ({ responses }: Operation) => html`
<h4>Errors</h4>
<table class="errors">
<thead><tr><th scope="col">Status</th><th scope="col">error.code</th></tr></thead>
<tbody>${Object.entries(responses)
  .filter(([status]) => status >= '400')
  .map(
    ([status, { description }]) => html`
<tr><td>${status}</td><td>${prose(description)}</td></tr>`,
  )}
</tbody></table>`

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
const curlFor = ({ method, path, credential, takes, baseUrl }: Call) => {
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
