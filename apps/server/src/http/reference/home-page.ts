import { html } from '../../html.ts'
import { page } from './page.ts'

/** What stands in the dashboard's place where nobody has built it: a server that was started by hand from its sources. */
export const homePage = () =>
  page({
    title: 'Tributary',
    body: html`
<main class="home">
<h1>Tributary</h1>
<p class="lead">Referral tracking that you run yourself: clicks, sign-ups and sales, attributed to the partners who brought them.</p>
<p>The service runs, but its dashboard is not built. Run <code>npm run build</code> beside it and load this page again.</p>
<dl>
<dt><a href="/docs">API reference</a></dt><dd>Every call, with its fields, errors and an example.</dd>
<dt><a href="/openapi.json">OpenAPI file</a></dt><dd>The same for machines and code generators.</dd>
<dt><a href="/healthz">Health</a>, <a href="/readyz">readiness</a>, <a href="/metrics">metrics</a></dt><dd>For whoever runs the service.</dd>
</dl>
</main>`,
  })
