/** Finds out what a model can do, by calls whose right answer is known. */
import {
  ModelFault,
  plainRequest,
  type Model,
  type ModelAttachment,
  type ModelReply,
  type ModelRequest,
} from '../../adapters/models/model.ts';
import type { ModelAbilities } from '../../contract/models/models.ts';

type Ability = keyof ModelAbilities;

const tool = {
  name: 'report_number',
  description: 'Reports a number.',
  inputSchema: {
    type: 'object',
    properties: { number: { type: 'integer' } },
    required: ['number'],
    additionalProperties: false,
  },
};

/** A red square of 64 by 64 pixels. */
const redSquare = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAT0lEQVR42u3PQQkAAAgEsAtx/ZMZxgi+hcEKLNO+FgEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQGBywKqxUDxqh7TUQAAAABJRU5ErkJggg==',
  'base64',
);

/** @returns a PDF document of one page with one word */
function documentWith(word: string): Buffer {
  const drawing = `BT /F1 36 Tf 40 40 Td (${word}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 100] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  return Buffer.from(
    `${text}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
  );
}

const file = (filename: string, contentType: string, content: Buffer) => ({
  attachments: (): Promise<ModelAttachment[]> => Promise.resolve([{ filename, contentType, content }]),
});

/**
 * For each ability: the question, what the request has beside it, and whether a reply shows the ability. No question
 * contains its answer.
 */
const trials: Record<
  Ability,
  { input: string; more: Partial<ModelRequest>; shows: (reply: ModelReply) => boolean }
> = {
  tools: {
    input: `Call the tool ${tool.name} with the number of days in a week.`,
    more: { tools: [tool], lastStep: false },
    shows: ({ calls }) => calls.some(({ name }) => name === tool.name),
  },
  images: {
    input: 'Which colour fills the image? Answer with one English word.',
    more: file('image.png', 'image/png', redSquare),
    shows: ({ text }) => /\bred\b/i.test(text),
  },
  documents: {
    input: 'Which word is written in the document? Answer with this word only.',
    more: file('document.pdf', 'application/pdf', documentWith('LANTERN')),
    shows: ({ text }) => /lantern/i.test(text),
  },
};

/**
 * Calls the model once for each ability, at the same time.
 * @param files the kinds of files that the installation sends to models; the others are not tried
 * @returns for each ability, whether the model has it. False also if the provider refused the call. Null if the ability
 * was not tried, or if the call failed for a passing reason, such as a rate limit
 */
export async function findAbilities(
  model: Model,
  asker: Parameters<typeof plainRequest>[0],
  files: readonly ('images' | 'documents')[],
): Promise<ModelAbilities> {
  const has = async (ability: Ability): Promise<boolean | null> => {
    if (ability !== 'tools' && !files.includes(ability)) return null;
    const { input, more, shows } = trials[ability];
    try {
      return shows(await model.ask({ ...plainRequest(asker, input), ...more }));
    } catch (error) {
      if (!(error instanceof ModelFault)) throw error;
      return error.retryable ? null : false;
    }
  };
  const [tools, images, documents] = await Promise.all([has('tools'), has('images'), has('documents')]);
  return { tools, images, documents };
}
