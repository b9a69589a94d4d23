import { Card, CardHeader } from '~/components/card.tsx'
import { CodeBlock } from '~/components/code-block.tsx'
import { instance } from '~/instance.ts'
import { verificationSnippets } from './verification-snippets.ts'

export const VerifyCard = () => (
  <Card weight="quiet">
    <CardHeader
      title="Verify signatures"
      description={
        <>
          Anyone can send a request to your endpoint. Check that it came from this program before you act on it. The{' '}
          <a href="/docs#group-webhooks" target="_blank" rel="noreferrer" className="underline underline-offset-2">
            API reference
          </a>{' '}
          shows each event.
        </>
      }
    />
    <div className="p-5 pt-4">
      <CodeBlock label="Language" snippets={verificationSnippets(instance.baseUrl)} />
    </div>
  </Card>
)
