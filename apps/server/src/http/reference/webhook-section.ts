import { type Html, html, prose } from '../../html.ts'
import { fieldTable, methodBadge } from './operation-section.ts'
import { fieldsOf, type Schema } from './schema-fields.ts'

export type PublishedWebhook = {
  summary: string
  description: string
  requestBody: { content: { 'application/json': { schema: Schema; example: object } } }
}

export const anchorOfEvent = (type: string) => `event-${type.replace('.', '-')}`

/** The documentation of one type of event, as endpoints receive it. */
export const webhookSection = ({
  type,
  summary,
  description,
  requestBody,
}: PublishedWebhook & { type: string }): Html => {
  const { schema, example } = requestBody.content['application/json']
  return html`
<section class="event operation" id="${anchorOfEvent(type)}">
<h3><a href="#${anchorOfEvent(type)}">${type}</a></h3>
<p class="endpoint">${methodBadge('post')} <code>your endpoint</code></p>
<p>${prose(summary)}. ${prose(description)}</p>
<pre tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre>
${fieldTable('Request body', fieldsOf(schema), { showsRequired: false })}
</section>`
}
