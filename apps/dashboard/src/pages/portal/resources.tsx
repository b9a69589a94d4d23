import type { Resource } from '@tributary/contract'
import { Download, FolderOpen } from 'lucide-react'
import { addressOf, useCall } from '~/api/call.ts'
import { Card } from '~/components/card.tsx'
import { buttonClass } from '~/components/controls/button.tsx'
import { CopyButton } from '~/components/copy.tsx'
import { formatBytes } from '~/components/format/format.ts'
import { Page } from '~/components/page.tsx'
import { SkeletonRows } from '~/components/skeleton.tsx'
import { EmptyState, QueryView } from '~/components/states.tsx'
import { usePartnership } from './portal-context.ts'

const LIST = '/api/portal/programs/{programId}/resources'

export const PortalResources = () => {
  const { programId, programName } = usePartnership()
  const resources = useCall(`get ${LIST}`, { programId })
  return (
    <Page
      title="Resources"
      description={`Texts to copy and files from ${programName}. Your link is already in the texts.`}
    >
      <QueryView
        query={resources}
        loading={
          <Card>
            <SkeletonRows rows={3} />
          </Card>
        }
        isEmpty={({ data }) => data.length === 0}
        empty={
          <Card>
            <EmptyState icon={<FolderOpen />} title="No resources yet">
              Texts, images and other files from the program will appear here.
            </EmptyState>
          </Card>
        }
      >
        {({ data }) => (
          <ul className="grid items-start gap-5 lg:grid-cols-2">
            {data.map((resource) => (
              <li key={resource.id} className="min-w-0">
                <ResourceCard resource={resource} />
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </Page>
  )
}

const ResourceCard = ({ resource: { id, title, body, fileName, sizeBytes } }: { resource: Resource }) => {
  const { programId } = usePartnership()
  return (
    <Card className="flex flex-col gap-3 p-5">
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <h2 className="wrap-anywhere text-section">{title}</h2>
          {fileName !== null && (
            <p className="wrap-anywhere mt-0.5 text-faint text-sm">
              {fileName !== title && `${fileName} · `}
              {formatBytes(sizeBytes ?? 0)}
            </p>
          )}
        </div>
        {body === null ? (
          <a
            href={addressOf(`get ${LIST}/{resourceId}/file`, { programId, resourceId: id })}
            download
            aria-label={`Download ${title}`}
            className={buttonClass({ size: 'small' })}
          >
            <Download aria-hidden /> Download
          </a>
        ) : (
          <CopyButton text={body} label="Copy text" look="secondary" />
        )}
      </div>
      {body !== null && (
        <p className="wrap-anywhere whitespace-pre-line rounded-lg bg-sunken px-4 py-3 text-sm">{body}</p>
      )}
    </Card>
  )
}
