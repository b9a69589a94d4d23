import { afterAll } from 'bun:test'
import type { TestProgram } from '../../../../apps/server/test/support/given.ts'
import type { TestService } from '../../../../apps/server/test/support/service.ts'

type Options = {
  /** Further attributes of the script tag. */
  attributes?: string
  /** HTML before the script tag. */
  head?: string
  headers?: Record<string, string>
  /** Answers instead of the page, unless it returns undefined. */
  proxy?: (request: Request) => Promise<Response> | undefined
  /** Where the script is loaded from. Defaults to the service. */
  scriptBase?: string
}

/** A merchant's website: every path on every host is a page with the script tag. */
export const givenSite = (service: TestService, program: { id: TestProgram['id'] }, options: Options = {}) => {
  const { attributes = '', head = '', headers = {}, scriptBase = service.url } = options
  const page = `<!doctype html><html lang="en"><title>Acme: prices</title>${head}
<script defer src="${scriptBase}/service-tracker.js" data-program-id="${program.id}" ${attributes}></script>
<h1>Acme</h1><a href="/other">Other</a>`
  const server = Bun.serve({
    port: 0,
    fetch: (request) =>
      options.proxy?.(request) ??
      new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8', ...headers } }),
  })
  afterAll(() => server.stop(true))
  const at = (host: string, path = '/') => `http://${host}:${server.port}${path}`
  return { port: server.port, at, page: (path = '/') => at('shop.localhost', path) }
}

/** The service behind a proxy that may change each response. */
export const givenProxy = (service: TestService, transform: (answer: Response) => Promise<Response> | Response) => {
  const server = Bun.serve({
    port: 0,
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url)
      const body = request.method === 'POST' ? await request.text() : undefined
      return transform(await fetch(service.url + pathname + search, { method: request.method, body }))
    },
  })
  afterAll(() => server.stop(true))
  return { url: `http://localhost:${server.port}` }
}
