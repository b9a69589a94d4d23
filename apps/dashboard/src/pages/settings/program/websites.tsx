import { isDevelopmentSite, originOf } from '@tributary/contract/origins'
import { useState } from 'react'
import { ApiError } from '~/api/client.ts'
import { useFocusFromHash } from '~/app/focus-from-hash.ts'
import { Field, Input, Textarea } from '~/components/controls/field.tsx'

/** `localhost:4010` is a host with a port, not a scheme. A development site has no certificate. */
const withScheme = (typed: string) => {
  if (/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(typed)) return typed
  return isDevelopmentSite(`http://${typed}`) ? `http://${typed}` : `https://${typed}`
}

/** Parses one website per line into origins. Invalid entries stay as typed, and the service rejects them. */
export const parseWebsites = (text: string) => [
  ...new Set(
    text
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(withScheme)
      .map((address) => originOf(address) ?? address),
  ),
]

/** Drops the API's field name, because the message shows under the field. */
const websitesError = (error: unknown) =>
  error instanceof ApiError && error.field?.startsWith('websites')
    ? `${error.field === 'websites' ? 'This' : 'Each website'} ${error.message.replace(/^websites(\.\d+)? /, '')}`
    : null

const DEVELOPMENT =
  'This is a development website: it opens only on your computer or network. Before partners share links, add your real website in the settings as the first one.'

const websitesInUse = (text: string) => {
  const kept = parseWebsites(text).filter((address) => originOf(address) !== null)
  if (kept.length === 0) return null
  const note = isDevelopmentSite(kept[0] ?? '') ? ` ${DEVELOPMENT}` : ''
  return `Links can only point to pages on ${kept.join(', ')}.${note}`
}

const HINT = 'For example https://shop.example.com. Links can only point to this site.'

export const WebsiteField = ({ error }: { error: unknown }) => {
  const [text, setText] = useState('')
  return (
    <Field label="Website" hint={websitesInUse(text) ?? HINT} error={websitesError(error)}>
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

const MORE = 'Enter one website per line. A link without a destination goes to the first website.'

export const WebsitesField = ({ websites, error }: { websites: string[]; error: unknown }) => {
  const [text, setText] = useState(websites.join('\n'))
  const field = useFocusFromHash<HTMLDivElement>('websites')
  return (
    <div ref={field} className="scroll-mt-5">
      <Field label="Websites" hint={[websitesInUse(text), MORE].filter(Boolean).join(' ')} error={websitesError(error)}>
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
    </div>
  )
}
