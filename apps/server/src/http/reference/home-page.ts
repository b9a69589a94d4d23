import { html } from '../../html.ts'
import { page } from './page.ts'

/** Shown instead of the dashboard if it was not built. */
export const homePage = () =>
  page({
    title: 'Tributary',
    body: html`
<main class="home">
<h1>Tributary</h1>
<p class="lead">Self-hosted referral tracking: clicks, leads and sales, attributed to your partners.</p>
<p>The service is running, but the dashboard has not been built. Run <code>npm run build</code> and reload this page.</p>
<dl>
<dt><a href="/docs">API reference</a></dt><dd>Every endpoint with its fields, errors and an example.</dd>
<dt><a href="/openapi.json">OpenAPI file</a></dt><dd>For tools and code generators.</dd>
<dt><a href="/healthz">Health</a>, <a href="/readyz">readiness</a>, <a href="/metrics">metrics</a></dt><dd>For monitoring.</dd>
</dl>
</main>`,
  })
