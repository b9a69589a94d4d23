import { originOf } from '@tributary/contract/origins'
import { useState } from 'react'
import { ApiError } from '~/api/client.ts'
import { Field, Input, Textarea } from '~/components/field.tsx'

const withScheme = (typed: string) => (/^[a-z][a-z0-9+.-]*:/i.test(typed) ? typed : `https://${typed}`)

/** What somebody typed, one website a line, as the origins that the service keeps. What is none stays, to be refused. */
export const websitesIn = (text: string) => [
  ...new Set(
    text
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(withScheme)
      .map((address) => originOf(address) ?? address),
  ),
]

/** The service names the place in the list; under the field it is clear which list. */
const websitesError = (error: unknown) =>
  error instanceof ApiError && error.field?.startsWith('websites')
    ? `${error.field === 'websites' ? 'This' : 'Each website'} ${error.message.replace(/^websites(\.\d+)? /, '')}`
    : null

const keptAs = (text: string, rest: string) => {
  const kept = websitesIn(text).filter((address) => originOf(address) !== null)
  return kept.length > 0 ? `Links may lead to ${kept.join(', ')}. ${rest}` : `The address of your site. ${rest}`
}

const HINT = 'A link without a page leads to its home page.'

export const WebsiteField = ({ error }: { error: unknown }) => {
  const [text, setText] = useState('')
  return (
    <Field label="Website" hint={keptAs(text, HINT)} error={websitesError(error)}>
      {(wiring) => (
        <Input
          {...wiring}
          name="websites"
          inputMode="url"
          autoComplete="url"
          placeholder="https://shop.example.com"
          value={text}
          onChange={(event) => setText(event.target.value)}
          required
        />
      )}
    </Field>
  )
}

const MORE = 'One a line; a link without a page leads to the first.'

export const WebsitesField = ({ websites, error }: { websites: string[]; error: unknown }) => {
  const [text, setText] = useState(websites.join('\n'))
  return (
    <Field label="Websites" hint={keptAs(text, MORE)} error={websitesError(error)}>
      {(wiring) => (
        <Textarea
          {...wiring}
          name="websites"
          placeholder="https://shop.example.com"
          value={text}
          onChange={(event) => setText(event.target.value)}
          required
        />
      )}
    </Field>
  )
}
