import { destinationOf } from '@tributary/contract/origins'
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { useProgram } from '~/app/program-context.ts'
import { Button, buttonClass } from '~/components/controls/button.tsx'
import { Field, Input } from '~/components/controls/field.tsx'

/** The tracker sends a test click if the page URL has this parameter. */
const TEST_PARAMETER = 'service_test'

const testAddress = (page: string) => {
  const url = URL.parse(/^https?:/i.test(page) ? page : `https://${page}`)
  url?.searchParams.set(TEST_PARAMETER, '1')
  return url?.href ?? null
}

/** The most realistic test: the merchant's page with the script, in this browser. */
export const SiteTest = () => {
  const { program } = useProgram()
  const [page, setPage] = useState(destinationOf(null, program.websites) ?? '')
  const address = page.trim() ? testAddress(page.trim()) : null
  return (
    <div className="flex flex-wrap items-end gap-2">
      <div className="min-w-48 max-w-md flex-1">
        <Field label="Test it on your website">
          {(wiring) => (
            <Input
              {...wiring}
              value={page}
              onChange={(event) => setPage(event.target.value)}
              placeholder="https://example.com/"
              inputMode="url"
            />
          )}
        </Field>
      </div>
      {address ? (
        <a href={address} target="_blank" rel="noreferrer" className={buttonClass({ look: 'primary' })}>
          <ExternalLink aria-hidden /> Open this page as a test visitor
        </a>
      ) : (
        <Button disabled>
          <ExternalLink aria-hidden /> Open this page as a test visitor
        </Button>
      )}
    </div>
  )
}
