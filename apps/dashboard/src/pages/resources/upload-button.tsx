import { MAX_RESOURCE_BYTES, RESOURCE_TYPES } from '@tributary/contract/branding-limits'
import { Upload } from 'lucide-react'
import { useUpload } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { FileButton } from '~/components/controls/file-button.tsx'
import { formatBytes } from '~/components/format/format.ts'
import { toast } from '~/components/overlays/toast.tsx'

const ACCEPT = Object.keys(RESOURCE_TYPES)
  .map((extension) => `.${extension}`)
  .join(',')

export const UploadButton = () => {
  const { program } = useProgram()
  const upload = useUpload('post /api/programs/{programId}/resources/files', ({ name: fileName }) => ({
    programId: program.id,
    query: { fileName },
  }))
  const send = (file: File) => {
    if (file.size > MAX_RESOURCE_BYTES)
      return toast.failed(`${file.name} is larger than ${formatBytes(MAX_RESOURCE_BYTES)}.`)
    upload.mutate(file, { onSuccess: () => toast.done(`${file.name} uploaded.`), onError: toast.failed })
  }
  return (
    <FileButton accept={ACCEPT} busy={upload.isPending} onFile={send}>
      <Upload aria-hidden /> Upload file
    </FileButton>
  )
}
