import { html } from 'hono/html'
import type { ShopConfig } from '../config.ts'
import type { Customer } from '../customers.ts'

export type Content = ReturnType<typeof html>
export type PageContext = { config: ShopConfig; customer: Customer | null }

/** Every page includes the tracker script. */
export const page = ({ config, customer }: PageContext, title: string, content: Content) => html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="stylesheet" href="/style.css">
    <link rel="icon" href="data:,">
    <script defer src="${config.tributaryUrl}/service-tracker.js" data-program-id="${config.programId}"></script>
  </head>
  <body>
    <header>
      <a class="brand" href="/">Quillet</a>
      <nav aria-label="Main">
        <a href="/pricing">Pricing</a>
        ${customer ? html`<a href="/account">${customer.name}</a>` : html`<a href="/sign-up">Sign up</a>`}
      </nav>
    </header>
    <main>${content}</main>
    <footer>Quillet is a Tributary demo. Nothing is for sale, and no money moves.</footer>
  </body>
</html>`
