import { minorDigits, toDecimal } from '@tributary/contract/currencies'
import { html, raw } from 'hono/html'

type Content = ReturnType<typeof html>

const CSS = `
:root { color-scheme: light dark; --ink: #1a1f36; --soft: #5b6478; --ground: #f6f8fa; --card: #fff; --line: #e3e8ee; --accent: #4f46c8; --on-accent: #fff }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eef1f8; --soft: #a5aec4; --ground: #10131d; --card: #191e2c; --line: #2b3247; --accent: #a9a4ff; --on-accent: #14122e }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem 4rem }
main.narrow { max-width: 27rem }
h1 { font-size: 1.5rem; margin: 0 0 .25rem } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem }
p { margin: 0 0 1rem } .soft { color: var(--soft) } small { color: var(--soft) }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.25rem; margin: 1rem 0 }
.price { font-size: 2.2rem; font-weight: 650; margin: .25rem 0 } .price small { font-size: 1rem; font-weight: 400 }
form + p, .stack + p { margin-top: 1.5rem }
button, select { font: inherit; min-height: 2.75rem; padding: .4rem .9rem; border-radius: 8px; border: 1px solid var(--line); background: var(--card); color: var(--ink) }
button { cursor: pointer } button.main { background: var(--accent); color: var(--on-accent); border-color: transparent; font-weight: 600 }
button:focus-visible, select:focus-visible, a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.stack { display: grid; gap: .6rem } .row { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center }
a { color: var(--accent) } code { font-size: .85em; overflow-wrap: anywhere }
.badge { border: 1px solid var(--line); border-radius: 99px; padding: .05rem .6rem; font-size: .85rem }
`

/** States clearly that this is not a real payment page. */
export const page = (title: string, content: Content, { narrow = false } = {}) => html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <style>${raw(CSS)}</style>
  </head>
  <body>
    <main class="${narrow ? 'narrow' : ''}">
      ${content}
      <p class="soft"><small>This is a fake payment processor. No money moves.</small></p>
    </main>
  </body>
</html>`

/** Uses the contract's ISO 4217 table, because runtimes disagree on decimal digits. */
export const money = (cents: number, currency: string) => {
  const code = currency.toUpperCase()
  const digits = minorDigits(code)
  const options = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const
  return new Intl.NumberFormat('en', options).format(toDecimal(cents, code) as `${number}`)
}
