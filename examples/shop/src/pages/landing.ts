import { html } from 'hono/html'
import { type PageContext, page } from './layout.ts'

const REASONS = [
  ['Opens instantly', 'Your page is ready before your next thought, on every device you own.'],
  ['Stays out of the way', 'No ribbons, no pop-ups, no assistants. Just your words.'],
  ['Yours to keep', 'Plain files that any program can read, today and in thirty years.'],
]

export const landingPage = (context: PageContext) =>
  page(
    context,
    'Quillet: a quiet place to write',
    html`<section class="hero">
        <h1>A quiet place to write.</h1>
        <p>Quillet keeps your notes where you left them, with nothing else on the screen.</p>
        <p><a class="button" href="/pricing">See plans</a> <a class="quiet" href="/sign-up">or sign up first</a></p>
      </section>
      <section class="three" aria-label="Why Quillet">
        ${REASONS.map(([title, words]) => html`<article><h2>${title}</h2><p>${words}</p></article>`)}
      </section>`,
  )
