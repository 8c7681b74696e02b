export type {
  TranscriptEvent,
  TranscriptFile,
  TranscriptFormat,
  TranscriptHead,
  TranscriptLineReader,
} from './adapter/transcript.ts'
export { transcriptFormats } from './registry.generated.ts'
