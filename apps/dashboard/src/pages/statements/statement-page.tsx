import type { UseQueryResult } from '@tanstack/react-query'
import type { Statement } from '@tributary/contract'
import { Printer } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '~/components/controls/button.tsx'
import { Page } from '~/components/page.tsx'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { Versions } from './reissue.tsx'
import { StatementDocument } from './statement-document.tsx'

type Props = {
  statement: UseQueryResult<Statement>
  description?: string
  back: ReactNode
  /** A link to the list of payouts, for a statement that does not exist. */
  missing: ReactNode
  /** Shown above the document if legal details are missing. */
  hint: (statement: Statement) => ReactNode
}

const AS_CREATED = 'Names and addresses are as they were when the statement was issued.'

/** Printed, the same document for merchant and partner. The browser prints it or saves it as a PDF. */
export const StatementPage = ({ statement, description = AS_CREATED, back, missing, hint }: Props) => (
  <Page
    title="Statement"
    isDocument
    back={back}
    description={description}
    actions={
      statement.data && (
        <Button look="primary" onClick={() => print()}>
          <Printer aria-hidden /> Print or save as PDF
        </Button>
      )
    }
  >
    <QueryView
      query={statement}
      missing={{ noun: 'statement', back: missing }}
      loading={
        <Loading className="flex flex-col gap-3">
          <Skeleton className="h-8 w-60" />
          <Skeleton className="h-40 w-full" />
        </Loading>
      }
    >
      {(data) => (
        <>
          <div className="empty:hidden print:hidden">{hint(data)}</div>
          <Versions statement={data} />
          <StatementDocument statement={data} />
        </>
      )}
    </QueryView>
  </Page>
)

export const HINT = 'rounded-lg bg-warn-soft px-4 py-2.5 text-sm text-warn-ink'
