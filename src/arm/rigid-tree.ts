/** A tree without its flexibility: stiff links, rotors fixed to the joints. What a controller that knows the rotors alone takes the arm for. */
import type { TreeJointModel, TreeModel } from '../model/tree-model.ts';

function rigidJoint(joint: TreeJointModel): TreeJointModel {
  if ((joint.kind !== 'revolute' && joint.kind !== 'prismatic') || joint.drive === undefined) {
    return joint;
  }
  return { ...joint, drive: { ...joint.drive, stiffness: null, damping: 0 } };
}

/** Copy of a tree model with stiff links and with rotors fixed to the joints. */
export function rigidTree(model: TreeModel): TreeModel {
  return {
    ...model,
    links: model.links.map(({ beam, joint, ...link }) => ({
      ...link,
      joint: rigidJoint(joint),
      ...(beam === undefined
        ? {}
        : {
            beam: {
              length: beam.length,
              bendingStiffness: beam.bendingStiffness,
              modes: [0, 0] as const,
              damping: 0,
              centrifugalStiffening: false,
            },
          }),
    })),
  };
}
