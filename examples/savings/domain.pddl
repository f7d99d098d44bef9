; Saving money for a goal. It is known what each step brings, and not how much it is disliked.
(define (domain savings)
  (:requirements :adl)
  (:types
    source amount sum count
    habit thing contract - source)
  (:constants
    cooking cycling overtime - habit
    bicycle guitar console - thing
    gym streaming newspaper - contract
    none one two three four - count
    s50 s100 s150 s200 - sum)
  (:predicates
    (saved ?a - amount)
    (plus ?s - sum ?a ?b - amount)      ; ?a and ?s make ?b, or the goal if that is less
    (brings ?x - source ?s - sum)
    (weeks-left ?h - habit ?n - count)  ; in how many more weeks this can be done
    (one-less ?n ?m - count)
    (can-do ?h - habit)
    (needs ?h - habit ?t - thing)
    (own ?t - thing)
    (subscribed ?c - contract)
    (worth-investing ?a - amount)
    (invested))

  ; A week of cooking instead of restaurants, of cycling instead of the bus, or of overtime.
  (:action week-of
    :parameters (?h - habit)
    :precondition (and (can-do ?h) (not (weeks-left ?h none)))
    :effect (and
      (forall (?n ?m - count) (when (and (weeks-left ?h ?n) (one-less ?n ?m))
        (and (not (weeks-left ?h ?n)) (weeks-left ?h ?m))))
      (forall (?s - sum ?a ?b - amount) (when (and (brings ?h ?s) (saved ?a) (plus ?s ?a ?b))
        (and (not (saved ?a)) (saved ?b))))))

  (:action sell
    :parameters (?t - thing)
    :precondition (own ?t)
    :effect (and (not (own ?t))
      (forall (?h - habit) (when (needs ?h ?t) (not (can-do ?h))))
      (forall (?s - sum ?a ?b - amount) (when (and (brings ?t ?s) (saved ?a) (plus ?s ?a ?b))
        (and (not (saved ?a)) (saved ?b))))))

  (:action cancel
    :parameters (?c - contract)
    :precondition (subscribed ?c)
    :effect (and (not (subscribed ?c))
      (forall (?s - sum ?a ?b - amount) (when (and (brings ?c ?s) (saved ?a) (plus ?s ?a ?b))
        (and (not (saved ?a)) (saved ?b))))))

  ; Whoever has 200 can put it where it brings 50, once.
  (:action invest
    :parameters ()
    :precondition (and (not (invested))
                       (exists (?a - amount) (and (saved ?a) (worth-investing ?a))))
    :effect (and (invested)
      (forall (?a ?b - amount) (when (and (saved ?a) (plus s50 ?a ?b))
        (and (not (saved ?a)) (saved ?b)))))))
