import type { problemTexts as english } from '../problems.ts';
import type { Translation } from '../translation.ts';

export const problemTexts = {
  problems: {
    unreachable: 'Não foi possível acessar o servidor. Verifique sua conexão.',
    unknown: (status: number) => `O servidor respondeu ${String(status)}.`,
    general: {
      invalid_json: 'O corpo não é um JSON válido.',
      unauthorized: 'É necessário um token de API válido: Authorization: Bearer pk_…',
      credit_limit_reached: 'O limite mensal de créditos foi atingido.',
      credit_cap_reached: 'A chamada não foi feita porque poderia ultrapassar um teto de créditos.',
      message_limit_reached: 'O limite mensal de mensagens foi atingido.',
      storage_limit_reached:
        'O armazenamento de arquivos da organização está cheio, por isso nada foi aceito. Apague conversas ou aumente o limite.',
      forbidden: 'Sua função ou seu token não permite isto.',
      not_found: 'Este item não existe. Ele pode ter sido excluído.',
      method_not_allowed: 'Este caminho não aceita este método. O cabeçalho Allow lista os que ele aceita.',
      idempotency_conflict: 'Esta Idempotency-Key foi usada com outro corpo.',
      agent_inactive: 'O agente está desativado.',
      conflict: 'O nome já está em uso.',
      version_conflict: 'Outra pessoa fez alterações nesse meio-tempo. Compare a versão dela com a sua.',
      cancelled: 'A execução foi cancelada, por isso não há resposta.',
      number_in_use:
        'Outro agente está conectado com este número. Para mover o número para este agente, repita a chamada com take_over.',
      already_decided: 'A aprovação já foi decidida ou expirou.',
      invalid_state:
        'Isto não é possível agora, porque há algo em andamento ou algo mudou. Recarregue a página e confira.',
      payload_too_large: 'O conteúdo é grande demais. Reduza-o e tente novamente.',
      unsupported_media_type: 'Envie o corpo como application/json.',
      validation_failed: 'Alguns valores não são válidos. Corrija-os e tente novamente.',
      invalid_credentials: 'As credenciais foram recusadas. Confira-as.',
      rate_limited: 'Muitas requisições. Aguarde um momento e tente novamente.',
      internal: 'Algo deu errado no servidor. Tente novamente.',
      agent_failed: 'A execução do agente falhou.',
      output_invalid: 'A resposta do agente não segue o esquema de saída dele.',
      gateway_unreachable: 'O gateway não deu uma resposta válida.',
      unavailable: 'O servidor não está disponível agora. Aguarde um momento e tente novamente.',
      sync_timeout:
        'A resposta está demorando mais do que o normal. Ela aparecerá aqui quando estiver pronta.',
    },
    atLeast: (min: string) => `precisa ser no mínimo ${min}`,
    atMost: (max: string) => `precisa ser no máximo ${max}`,
    whole: 'precisa ser um número inteiro',
    empty: 'não pode ficar vazio',
    minChars: (min: string) => `precisa ter no mínimo ${min} caracteres`,
    maxChars: (max: string) => `pode ter no máximo ${max} caracteres`,
    maxItems: (max: string) => `pode ter no máximo ${max}`,
    number: 'precisa ser um número',
    missing: 'está faltando',
    oneOf: (options: string) => `precisa ser um destes: ${options}`,
    email: 'não é um endereço de e-mail',
    url: 'não é um endereço da web',
  },
} satisfies Translation<typeof english>;
