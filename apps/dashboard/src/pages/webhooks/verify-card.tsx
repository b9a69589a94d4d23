import { Card, CardHeader } from '~/components/card.tsx'
import { CodeBlock } from '~/components/code-block.tsx'
import { VERIFICATION_SNIPPETS } from './verification-snippets.ts'

export const VerifyCard = () => (
  <Card>
    <CardHeader
      title="Verify signatures"
      description="Anyone can send a request to your endpoint. Check that it came from this program before you act on it."
    />
    <div className="p-5 pt-4">
      <CodeBlock label="Language" snippets={VERIFICATION_SNIPPETS} />
    </div>
  </Card>
)
