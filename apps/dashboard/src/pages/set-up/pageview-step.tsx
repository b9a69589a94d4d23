import type { TrackingStatus } from '@tributary/contract'
import { useProgram } from '~/app/program-context.ts'
import { CodeBlock } from '~/components/code-block.tsx'
import { instance } from '~/instance.ts'
import { Arrival, Code } from './arrival.tsx'
import { OwnSiteTest } from './own-site-test.tsx'
import { trackerSnippets } from './snippets.ts'
import { StepCard } from './step-card.tsx'

export const PageviewStep = ({ status }: { status: TrackingStatus }) => {
  const { program } = useProgram()
  const place = { baseUrl: instance.baseUrl, programId: program.id }
  return (
    <StepCard
      number={1}
      title="Track clicks"
      summary="A script on your pages notices visitors who come through a referral link."
      isComplete={status.stepStatuses.pageview === 'complete'}
    >
      <CodeBlock label="Script tag" snippets={trackerSnippets(place)} />
      <OwnSiteTest />
      <Arrival
        kind="click"
        events={status.statistics.pageview}
        checks={[
          <>
            The page’s address must carry <Code>?aff=…</Code>. A redirect that drops the query drops the referral too.
          </>,
          <>
            The browser’s network tab must show a call to <Code>{instance.baseUrl}</Code>. If it does not, a
            Content-Security-Policy or an ad blocker may hold the script back.
          </>,
          <>
            An https page may only call an https service: <Code>BASE_URL</Code> must be reachable from your visitors.
          </>,
        ]}
      />
    </StepCard>
  )
}
